//! Layer 3: what is forced. Knows shapes, not values.
//!
//! [`wincheck`] sees what is decided at a glance; [`vcf`] looks for a win by
//! an unbroken row of fours. May import `board`, `rules` and `pattern`; never
//! `eval`, which is of the same layer.

mod rows;
pub mod vcf;
pub mod wincheck;

pub use vcf::{VcfSolver, Verdict};
