//! The names of the procedures.

use std::fmt;
use std::str::FromStr;

/// How the first stones of a game come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Procedure {
    /// No procedure: the first player has Black and begins.
    #[default]
    Free,
    /// Black begins in the centre, and its second stone stands at least three
    /// points away from it.
    Pro,
    /// As pro, at least four points away.
    LongPro,
    /// The first player puts the first stone, the second chooses its colour.
    SwapFirst,
    /// The first player puts three stones, the second chooses its colour.
    Swap,
    /// As swap; or the second puts two stones more and the first chooses.
    Swap2,
    /// One of the 26 openings of renju and a swap; Black offers two fifth
    /// moves and White chooses.
    Rif,
    /// As RIF; White says with the fourth stone how many fifth moves, one to
    /// eight, Black must offer, and may be swapped with then.
    Soosorv,
    /// Stones in growing squares with a swap after each; or ten fifth moves.
    Taraguchi,
}

impl Procedure {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Free,
        Self::Pro,
        Self::LongPro,
        Self::SwapFirst,
        Self::Swap,
        Self::Swap2,
        Self::Rif,
        Self::Soosorv,
        Self::Taraguchi,
    ];

    /// The name in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Pro => "pro",
            Self::LongPro => "long-pro",
            Self::SwapFirst => "swap-first",
            Self::Swap => "swap",
            Self::Swap2 => "swap2",
            Self::Rif => "rif",
            Self::Soosorv => "soosorv-8",
            Self::Taraguchi => "taraguchi-10",
        }
    }
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureError(String);

impl fmt::Display for ProcedureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Procedure::ALL.map(Procedure::name).join(", ");
        write!(f, "no opening procedure '{}': use one of {names}", self.0)
    }
}

impl std::error::Error for ProcedureError {}

impl FromStr for Procedure {
    type Err = ProcedureError;

    fn from_str(text: &str) -> Result<Self, ProcedureError> {
        Self::ALL
            .into_iter()
            .find(|procedure| procedure.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ProcedureError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for procedure in Procedure::ALL {
            assert_eq!(procedure.name().parse(), Ok(procedure));
        }
        let error = "swap3".parse::<Procedure>().unwrap_err().to_string();
        assert!(error.contains("swap3") && error.contains("taraguchi-10"));
    }
}
