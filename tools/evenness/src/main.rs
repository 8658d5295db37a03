//! The program `evenness`: reads the arguments and measures.

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use evenness::{Effort, Setting, choices, games};
use std::time::Duration;
use yonsan::board::Size;
use yonsan::rules::Rule;
use yonsan::rules::opening::Procedure;

/// Measures how even Yonsan's openings are and how well it chooses a colour.
#[derive(Parser, Debug)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Put the first stones of openings and play them out; tell Black's score
    Games {
        #[command(flatten)]
        common: Common,
        /// How the stones are put
        #[arg(long, default_value = "swap2")]
        procedure: Procedure,
    },
    /// Choose colours and compare with a longer search
    Choices {
        #[command(flatten)]
        common: Common,
        /// The longer search takes so many times as long
        #[arg(long, default_value_t = 30)]
        factor: u32,
        /// Up to this score the longer search is not sure
        #[arg(long, default_value_t = 30)]
        margin: i32,
    },
}

#[derive(Args, Debug)]
struct Common {
    /// Number of openings
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Time for a move and for a decision, in milliseconds
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    time: u64,
    /// Positions for a move and for a decision, instead of a time
    #[arg(long)]
    nodes: Option<u64>,
    /// The rule
    #[arg(long, default_value = "standard")]
    rule: Rule,
    /// Side of the board
    #[arg(long, default_value_t = 15)]
    size: u8,
    /// Seed of the first opening
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Openings at the same time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

impl Common {
    fn setting(&self, procedure: Procedure) -> Result<Setting> {
        let time = Effort::Time(Duration::from_millis(self.time));
        Ok(Setting {
            rule: self.rule,
            size: Size::square(self.size).context("no board of this size")?,
            procedure,
            effort: self.nodes.map_or(time, Effort::Nodes),
            count: self.count,
            seed: self.seed,
            jobs: self.jobs,
        })
    }
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Games { common, procedure } => {
            let played = games::play(&common.setting(procedure)?)?;
            println!("{}", games::Summary::new(&played));
        }
        Task::Choices {
            common,
            factor,
            margin,
        } => {
            let compared = choices::compare(&common.setting(Procedure::Swap2)?, factor)?;
            println!("{}", choices::Summary::new(&compared, margin));
        }
    }
    Ok(())
}
