//! What the workers of a search share, and what each keeps to itself from one
//! search to the next.

use super::candidates::Neighbourhoods;
use super::correction::Corrections;
use super::history::History;
use super::limits::Control;
use super::time::Clock;
use super::tt::TranspositionTable;
use crate::eval::Evaluation;
use crate::threat::VcfSolver;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What the workers of one search share.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub table: &'a TranspositionTable,
    pub neighbourhoods: &'a Neighbourhoods,
    pub evaluation: Evaluation,
    pub control: &'a Control,
    pub clock: Clock,
    pub max_nodes: u64,
    pub stop: AtomicBool,
    pub nodes: AtomicU64,
}

/// What a thread remembers from search to search.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub history: History,
    pub corrections: Corrections,
    pub vcf: VcfSolver,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            history: History::new(),
            corrections: Corrections::new(),
            vcf: VcfSolver::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.vcf.clear();
    }
}
