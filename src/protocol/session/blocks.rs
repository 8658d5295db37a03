//! Commands that span several lines.

use super::{Mode, Session};
use crate::protocol::block::{Block, BlockKind};
use crate::protocol::command::{Command, CommandError};
use crate::protocol::event::Line;
use crate::protocol::message;
use crate::protocol::thinker::Job;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

impl<W: io::Write> Session<W> {
    pub(super) fn open_block(
        &mut self,
        kind: BlockKind,
        text: &str,
        read_at: Instant,
    ) -> io::Result<()> {
        let mut block = Block::new(kind, self.size());
        for piece in text.split_whitespace() {
            if Block::is_end(piece) {
                return self.close_block(&block, read_at);
            }
            self.add_to_block(&mut block, piece);
        }
        self.mode = Mode::Block(block);
        Ok(())
    }

    fn add_to_block(&mut self, block: &mut Block, text: &str) {
        if let Err(error) = block.add(text) {
            self.complaints.add(error);
        }
    }

    /// Takes a line inside a block. A command there means that the manager
    /// has given the block up: better to lose the block than the command.
    pub(super) fn take_block_line(
        &mut self,
        mut block: Block,
        command: Result<Command, CommandError>,
        line: &Line,
    ) -> io::Result<()> {
        match command {
            Err(CommandError::Unknown(_)) if Block::is_end(&line.text) && !line.is_cut => {
                self.close_block(&block, line.read_at)
            }
            Err(CommandError::Unknown(_)) => {
                self.add_to_block(&mut block, &line.text);
                self.mode = Mode::Block(block);
                Ok(())
            }
            Ok(Command::Set(_) | Command::Stop) | Err(CommandError::Setting(_)) => {
                self.mode = Mode::Block(block);
                self.obey(command, line.read_at)
            }
            _ => {
                self.complaints.add("a block without DONE was dropped");
                self.obey(command, line.read_at)
            }
        }
    }

    fn close_block(&mut self, block: &Block, read_at: Instant) -> io::Result<()> {
        match block.kind() {
            BlockKind::Foreign => self.answer(&message::message("not supported, passed over")),
            BlockKind::Query => self.answer(&message::empty_database()),
            BlockKind::Exclude => {
                self.excluded |= *block.points();
                Ok(())
            }
            BlockKind::Readmit => {
                self.excluded &= !*block.points();
                Ok(())
            }
            BlockKind::Swap2Board => self.decide(block, read_at),
            kind @ (BlockKind::Board | BlockKind::YixinBoard) => {
                let position = block.position(self.preferences.rule());
                let has_game = position.is_some();
                if has_game {
                    self.position = position;
                }
                match kind {
                    BlockKind::Board => self.think(read_at, 1),
                    _ if has_game => Ok(()),
                    // Yixin's manager would take any answer for a move.
                    _ => {
                        self.complaints.add("YXBOARD before START");
                        Ok(())
                    }
                }
            }
        }
    }

    /// Takes the line behind a command that wants a path, unless the manager
    /// has left it out: then it is a command.
    pub(super) fn take_path(
        &mut self,
        name: &str,
        command: Result<Command, CommandError>,
        line: &Line,
    ) -> io::Result<()> {
        if !matches!(command, Err(CommandError::Unknown(_))) {
            self.answer(&message::message(&format!("{name} without a path")))?;
            return self.obey(command, line.read_at);
        }
        if line.is_cut {
            return self.answer(&message::message(&format!("{name}: the path is too long")));
        }
        let path = PathBuf::from(&line.text);
        match name {
            "yxhashdump" => self.give_open(Job::DumpHash(path)),
            "yxhashload" => {
                let options = self.preferences.options();
                let rule = self.preferences.rule();
                self.give_open(Job::LoadHash(options, path, rule))
            }
            _ => self.answer(&message::message(&format!("{name} is not supported"))),
        }
    }
}
