//! Small symmetric matrices: as many rows as engines in a tournament.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub struct Matrix {
    side: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zero(side: usize) -> Self {
        let cells = vec![0.0; side * side];
        Self { side, cells }
    }

    /// The entry in a row and column.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.side + column]
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.side + column] += value;
    }

    /// The inverse of a symmetric positive definite matrix by Gauss-Jordan,
    /// where no pivoting is needed; `None` if it is not positive definite.
    pub fn inverse(mut self) -> Option<Self> {
        let side = self.side;
        let mut inverse = Self::zero(side);
        for index in 0..side {
            inverse.add(index, index, 1.0);
        }
        for pivot in 0..side {
            let scale = self.get(pivot, pivot);
            if scale.is_nan() || scale <= 0.0 {
                return None;
            }
            for column in 0..side {
                self.cells[pivot * side + column] /= scale;
                inverse.cells[pivot * side + column] /= scale;
            }
            for row in (0..side).filter(|&row| row != pivot) {
                let factor = self.get(row, pivot);
                for column in 0..side {
                    let above = self.get(pivot, column);
                    let above_inverse = inverse.get(pivot, column);
                    self.add(row, column, -factor * above);
                    inverse.add(row, column, -factor * above_inverse);
                }
            }
        }
        Some(inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_itself_is_one() {
        let rows = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]];
        let mut matrix = Matrix::zero(3);
        for (row, cells) in rows.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                matrix.add(row, column, cell);
            }
        }
        let inverse = matrix.clone().inverse().unwrap();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3)
                    .map(|inner| matrix.get(row, inner) * inverse.get(inner, column))
                    .sum();
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn singular_matrices_have_none() {
        let mut matrix = Matrix::zero(2);
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            matrix.add(row, column, 1.0);
        }
        assert!(matrix.inverse().is_none());
    }
}
