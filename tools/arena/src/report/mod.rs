//! One self-contained HTML page about an event: standings, cross table,
//! plots, and every game on a board.
//!
//! Numbers and plots are made here; the page's own script only replays and
//! filters games. Everything that comes from engines or files, names above
//! all, is escaped in `escape.rs` or reaches the script as data. The page
//! loads nothing.

mod chart;
mod games;
mod page;
mod plots;
mod summary;
mod tables;

use crate::collect::Collection;
use anyhow::Result;
use summary::Summary;

/// Wishes about a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportOptions {
    /// Title; the players if `None`.
    pub title: Option<String>,
    /// Engines whose ratings are held, with their Elo.
    pub anchors: Vec<(String, f64)>,
    /// Most games that can be replayed; the newest are kept.
    pub max_replayed: usize,
}

/// Makes the page.
///
/// # Errors
///
/// If an anchor names no engine, or no ratings fit.
pub fn render(collection: &mut Collection, options: &ReportOptions) -> Result<String> {
    let summary = Summary::new(collection, &options.anchors)?;
    Ok(page::assemble(collection, &summary, options))
}

#[cfg(test)]
mod tests;
