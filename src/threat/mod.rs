//! Layer 3: what is forced. Knows shapes, not values.
//!
//! [`wincheck`] sees what is decided at a glance; [`vcf`] looks for a win by
//! an unbroken row of fours, [`vct`] for one by fours and threes; [`tree`]
//! writes such wins down, and [`referee`] plays them out against every
//! defence. May import `board`, `rules` and `pattern`; never `eval`, which is
//! of the same layer.

mod defence;
mod growth;
mod pair;
mod proof;
pub mod referee;
mod rows;
mod sums;
pub mod tree;
pub mod vcf;
pub mod vct;
mod vct_tree;
pub mod wincheck;

pub use tree::{NodeId, WinNode, WinTree};
pub use vcf::{VcfSolver, Verdict};
pub use vct::VctSolver;
