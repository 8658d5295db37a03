//! A run put away in a file, to go on with later.
//!
//! The file, all numbers little-endian: eight bytes `YONSANCP`; a fingerprint
//! of data and settings, `u64`; steps made and nets averaged, `u64` each; then
//! all numbers of the run in a fixed order, `f32` each; then a checksum over
//! all that precedes, `u64`. A run goes on only with the data and settings it
//! began with.

use super::train::Training;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use yonsan::board::mix;

const MAGIC: &[u8; 8] = b"YONSANCP";
const WORD: usize = size_of::<u64>();
const HEADER_LEN: usize = MAGIC.len() + 3 * WORD;

fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<WORD>();
    let sum = words
        .iter()
        .fold(0, |sum, word| mix(sum ^ u64::from_le_bytes(*word)));
    rest.iter()
        .fold(sum, |sum, &byte| mix(sum ^ u64::from(byte)))
}

/// Writes a run to a file; the old file stays whole until the new one is.
///
/// # Errors
///
/// If the file cannot be written.
pub fn save(training: &mut Training<'_>, path: &Path) -> Result<()> {
    let name = path.display();
    let mut bytes = MAGIC.to_vec();
    let [steps, averaged] = training.counters();
    for word in [training.fingerprint(), steps, averaged] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    training.visit_numbers(&mut |numbers| {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    });
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    let fresh = path.with_extension("new");
    fs::write(&fresh, &bytes).with_context(|| format!("{}", fresh.display()))?;
    fs::rename(&fresh, path).with_context(|| format!("{name}"))
}

/// Goes on where the run in a file stopped.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or is of a run with other data or
/// settings.
pub fn resume(training: &mut Training<'_>, path: &Path) -> Result<()> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("{name}"))?;
    ensure!(bytes.starts_with(MAGIC), "{name}: not a checkpoint");
    let parts = bytes.split_last_chunk::<WORD>();
    let body = parts.filter(|(body, sum)| checksum(body) == u64::from_le_bytes(**sum));
    let (body, _) = body.with_context(|| format!("{name}: a damaged checkpoint"))?;
    ensure!(body.len() >= HEADER_LEN, "{name}: a damaged checkpoint");
    let (words, _) = body[MAGIC.len()..HEADER_LEN].as_chunks::<WORD>();
    ensure!(
        u64::from_le_bytes(words[0]) == training.fingerprint(),
        "{name}: a checkpoint of a run with other games or settings"
    );
    let (numbers, _) = body[HEADER_LEN..].as_chunks::<{ size_of::<f32>() }>();
    let mut source = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
    training.visit_numbers(&mut |numbers| {
        for (number, read) in numbers.iter_mut().zip(&mut source) {
            *number = read;
        }
    });
    training.set_counters([1, 2].map(|place| u64::from_le_bytes(words[place])));
    Ok(())
}
