//! Match runner.
mod record;

fn main() {}
