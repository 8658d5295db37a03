//! Opening procedures: how the first stones come about and who gets which
//! colour.
//!
//! An [`Opening`] says who is to act, what that player may do, and takes acts;
//! each procedure is a table of steps in `script`, and there is one machine
//! for all. Stones always alternate in colour, Black first; what a swap
//! changes is whose they are. When the procedure is finished the game goes on
//! from [`Opening::position`] like any other.
//!
//! Sources: the procedures of Gomocup and Piskvork for pro, long pro, swap and
//! swap2; for the others the rule texts of the Renju International Federation,
//! renju.net: RIF opening rule of 1996, Soosorv-N of 2011 with N = 8,
//! Taraguchi-N of 2010 with N = 10.

mod area;
mod error;
mod procedure;
mod script;
mod state;
mod symmetry;

pub use area::Area;
pub use error::OpeningError;
pub use procedure::{Procedure, ProcedureError};
pub use script::Demand;
pub use state::{Act, Opening, Seat};
pub use symmetry::are_symmetric;
