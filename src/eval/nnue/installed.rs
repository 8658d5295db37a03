//! The nets this program plays with: those in the binary, or those of a file
//! that was installed before they were first asked for.

use super::format::{NetError, NetFile, RuleSide};
use super::network::Network;
use crate::board::Colour;
use crate::eval::classical;
use crate::rules::Rule;
use once_cell::sync::OnceCell;
use std::fmt;

/// The file that is part of the binary: nets for all rules, made by
/// `tools/trainer` of games that this program played against itself. They build
/// on the embedded tables of the classical evaluation and fit no others.
static EMBEDDED: &[u8] = include_bytes!("../nnue.weights");

/// The file in use; `None` if the embedded one, which would be, is bad or does
/// not fit.
static FILE: OnceCell<Option<NetFile>> = OnceCell::new();
/// By [`slot`].
static NETWORKS: [OnceCell<Option<Network>>; 4] = [const { OnceCell::new() }; 4];

/// Rules that differ in their weights differ in their slot.
const fn slot(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 2,
        Rule::Caro | Rule::CaroExact => 3,
    }
}

/// Why a file is not played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallError {
    /// The file is no good.
    Net(NetError),
    /// Other nets are in use already.
    TooLate,
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Net(error) => error.fmt(f),
            Self::TooLate => f.write_str("other nets are in use already"),
        }
    }
}

impl std::error::Error for InstallError {}

/// Makes the nets of a file, `*.ynn`, those of this program. All of it is
/// decoded once, so that a bad file is told here and not in a game.
///
/// # Errors
///
/// If the file is no good, or the first net has been used already. Nothing is
/// changed then.
pub fn install(bytes: Vec<u8>) -> Result<(), InstallError> {
    let file = NetFile::new(bytes).map_err(InstallError::Net)?;
    for side in RuleSide::ALL {
        file.side(side).map_err(InstallError::Net)?;
    }
    FILE.set(Some(file)).map_err(|_| InstallError::TooLate)
}

/// The net for a rule, decoded at the first call; `None` if there is none that
/// fits the tables in use.
#[must_use]
pub fn network(rule: Rule) -> Option<&'static Network> {
    let network = NETWORKS[slot(rule)].get_or_init(|| decode(rule));
    network.as_ref()
}

fn decode(rule: Rule) -> Option<Network> {
    let file = FILE.get_or_init(|| {
        let fits = classical::is_embedded();
        good(fits.then(|| NetFile::new(EMBEDDED))?)
    });
    let file = file.as_ref()?;
    let sides = Colour::ALL.map(|colour| RuleSide::new(rule, colour));
    let black = good(file.side(sides[0]))?;
    if sides[0] == sides[1] {
        return Some(Network::new(&black, &black));
    }
    let white = good(file.side(sides[1]))?;
    Some(Network::new(&black, &white))
}

/// What can only fail if the program was built wrongly.
fn good<T>(result: Result<T, NetError>) -> Option<T> {
    result
        .inspect_err(|error| log::error!("embedded: {error}; playing without a net"))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_nets_are_good() {
        let file = NetFile::new(EMBEDDED).unwrap();
        for side in RuleSide::ALL {
            file.side(side).unwrap();
        }
    }

    #[test]
    fn rules_share_slots_as_they_share_weights() {
        for a in Rule::ALL {
            for b in Rule::ALL {
                let sides = |rule| Colour::ALL.map(|colour| RuleSide::new(rule, colour));
                assert_eq!(slot(a) == slot(b), sides(a) == sides(b), "{a} {b}");
            }
        }
    }
}
