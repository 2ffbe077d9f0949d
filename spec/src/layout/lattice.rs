//! The exact search that [`super::overlaps`] runs.
//!
//! Two elements share a place if their indices differ by a vector `d ≠ 0` with `Σ dᵢ·strideᵢ = 0` and
//! `|dᵢ| ≤ sizeᵢ - 1`. The vectors that meet the equation form a lattice of at most seven dimensions. Scaled by
//! `1 / (sizeᵢ - 1)`, the question is whether it has a vector other than 0 in the unit cube. A reduced basis (LLL)
//! makes the search for it a matter of at most some thousand steps, however many elements there are.
//!
//! Lattice vectors are whole numbers, and a found one is checked exactly. Floating point only steers: on a reduced
//! basis its error is some 2^-50, and the search radius has room for far more.

/// Most dimensions.
const N: usize = 8;

/// A vector of the lattice.
type Vector = [i128; N];

/// Whether some `d ≠ 0` with `|d| ≤ last` cancels the strides; `steps` holds (stride, last), all above 0.
pub(super) fn has_coincidence(steps: &[(u32, u32)]) -> bool {
    if steps.len() > N {
        return true;
    }
    // Numbers past 128 bits do not occur: reduced vectors stay below some 2^70, and are multiplied with 2^32.
    let Some(basis) = Basis::of(steps) else { return true };
    if basis.vectors.iter().take(basis.len).any(|v| basis.fits(v)) {
        return true;
    }
    let shape = basis.shape();
    basis.search(&shape, basis.len, 0.0, &mut [0.0; N], [0; N])
}

/// Basis of the vectors that cancel the strides.
struct Basis {
    vectors: [Vector; N],
    len: usize,
    /// Largest absolute value of each coordinate; 1 in the coordinates that are not in use.
    last: Vector,
    weights: [f64; N],
    dimensions: f64,
}

/// The basis made orthogonal (Gram-Schmidt): parts, coefficients and squared lengths.
struct Shape {
    parts: [[f64; N]; N],
    mu: [[f64; N]; N],
    length: [f64; N],
}

impl Basis {
    /// Builds the basis a dimension at a time and keeps it reduced, so that numbers stay small.
    fn of(steps: &[(u32, u32)]) -> Option<Self> {
        let mut basis = Self {
            vectors: [[0; N]; N],
            len: 0,
            last: [1; N],
            weights: [1.0; N],
            dimensions: 0.0,
        };
        for ((_, last), (bound, weight)) in steps.iter().zip(basis.last.iter_mut().zip(&mut basis.weights)) {
            *bound = (*last).into();
            *weight = 1.0 / f64::from(*last);
            basis.dimensions += 1.0;
        }
        // `unit` is a vector with `unit · strides = divisor`, the greatest common divisor so far.
        let mut unit = [0; N];
        let mut divisor = 0_i128;
        for (i, (stride, _)) in steps.iter().enumerate() {
            let stride = i128::from(*stride);
            let (common, x, y) = extended_gcd(divisor, stride);
            let mut vector = scaled(&unit, -(stride / common))?;
            *vector.get_mut(i)? = divisor / common;
            unit = scaled(&unit, x)?;
            *unit.get_mut(i)? = y;
            if divisor > 0 {
                *basis.vectors.get_mut(basis.len)? = vector;
                basis.len += 1;
                basis.reduce()?;
                unit = basis.shortened(unit, basis.len)?;
            }
            divisor = common;
        }
        Some(basis)
    }

    /// LLL with swaps of neighbours.
    fn reduce(&mut self) -> Option<()> {
        let mut k = 1;
        // The potential argument bounds the swaps by a few thousand; the limit guards against rounding.
        for _ in 0..100_000 {
            if k >= self.len {
                break;
            }
            let vector = *self.vectors.get(k)?;
            *self.vectors.get_mut(k)? = self.shortened(vector, k)?;
            let shape = self.shape();
            let (mu, before, here) = (
                *shape.mu.get(k)?.get(k - 1)?,
                *shape.length.get(k - 1)?,
                *shape.length.get(k)?,
            );
            if here >= (0.99 - mu * mu) * before {
                k += 1;
            } else {
                self.vectors.swap(k - 1, k);
                k = (k - 1).max(1);
            }
        }
        Some(())
    }

    /// `vector` less whole multiples of the first `count` basis vectors, so that little of it lies along them.
    fn shortened(&self, mut vector: Vector, count: usize) -> Option<Vector> {
        let shape = self.shape();
        // Each pass gains some 50 bits; numbers have fewer than 128.
        for _ in 0..16 {
            let mut rest = self.weighted(&vector);
            let mut changed = false;
            for j in (0..count).rev() {
                let along = dot(&rest, shape.parts.get(j)?) / shape.length.get(j)?;
                if along.abs() <= 0.51 {
                    continue;
                }
                #[expect(clippy::cast_possible_truncation, reason = "saturates, and the next pass goes on")]
                let times = along.round() as i128;
                let part = scaled(self.vectors.get(j)?, times)?;
                for (v, p) in vector.iter_mut().zip(part) {
                    *v = v.checked_sub(p)?;
                }
                rest = self.weighted(&vector);
                changed = true;
            }
            if !changed {
                break;
            }
        }
        Some(vector)
    }

    fn shape(&self) -> Shape {
        let mut shape = Shape {
            parts: [[0.0; N]; N],
            mu: [[0.0; N]; N],
            length: [1.0; N],
        };
        for (i, vector) in self.vectors.iter().enumerate().take(self.len) {
            let mut part = self.weighted(vector);
            for (j, before) in shape.parts.iter().enumerate().take(i) {
                // Against what is left of the vector, which loses less to rounding than against the whole.
                let mu = dot(&part, before) / shape.length.get(j).copied().unwrap_or(1.0);
                part.iter_mut().zip(before).for_each(|(p, b)| *p -= mu * b);
                if let Some(place) = shape.mu.get_mut(i).and_then(|row| row.get_mut(j)) {
                    *place = mu;
                }
            }
            if let (Some(place), Some(length)) = (shape.parts.get_mut(i), shape.length.get_mut(i)) {
                *place = part;
                *length = dot(&part, &part);
            }
        }
        shape
    }

    /// Tries all combinations of the first `left` vectors, added to `sum`, that can end in the unit cube.
    /// `chosen` holds the coefficients of the others, `spent` the squared length they cost.
    fn search(&self, shape: &Shape, left: usize, spent: f64, chosen: &mut [f64; N], sum: Vector) -> bool {
        let Some(k) = left.checked_sub(1) else {
            return self.fits(&sum);
        };
        let Some((vector, length)) = self.vectors.get(k).zip(shape.length.get(k)) else {
            return false;
        };
        // The unit cube lies in the ball of this squared radius.
        let room = self.dimensions * (1.0 + 1e-6) - spent;
        let others = shape
            .mu
            .iter()
            .zip(chosen.iter())
            .enumerate()
            .skip(left)
            .take(self.len - left);
        let center: f64 = others
            .map(|(_, (row, times))| -times * row.get(k).copied().unwrap_or(0.0))
            .sum();
        let width = (room / length).max(0.0).sqrt();
        // A vector and its negative are the same find: the first coefficient other than 0 is positive.
        let fresh = sum == [0; N];
        let mut times = if fresh { 0.0 } else { (center - width).ceil() };
        while times <= center + width {
            if let Some(place) = chosen.get_mut(k) {
                *place = times;
            }
            let next = added(&sum, vector, times);
            let cost = (times - center) * (times - center) * length;
            if next.is_none_or(|next| self.search(shape, k, spent + cost, chosen, next)) {
                return true;
            }
            times += 1.0;
        }
        if let Some(place) = chosen.get_mut(k) {
            *place = 0.0;
        }
        false
    }

    /// Whether a vector other than 0 stays within the bounds.
    fn fits(&self, vector: &Vector) -> bool {
        *vector != [0; N] && vector.iter().zip(&self.last).all(|(v, last)| v.abs() <= *last)
    }

    fn weighted(&self, vector: &Vector) -> [f64; N] {
        let mut weighted = self.weights;
        #[expect(clippy::cast_precision_loss, reason = "floating point only steers")]
        weighted.iter_mut().zip(vector).for_each(|(w, v)| *w *= *v as f64);
        weighted
    }
}

fn dot(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn scaled(vector: &Vector, times: i128) -> Option<Vector> {
    let mut scaled = *vector;
    for v in &mut scaled {
        *v = v.checked_mul(times)?;
    }
    Some(scaled)
}

fn added(sum: &Vector, vector: &Vector, times: f64) -> Option<Vector> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number; saturation ends in `None`"
    )]
    let mut part = scaled(vector, times as i128)?;
    for (p, s) in part.iter_mut().zip(sum) {
        *p = p.checked_add(*s)?;
    }
    Some(part)
}

/// `(g, x, y)` with `g = gcd(a, b) = x·a + y·b`; neither is negative, and not both are 0.
fn extended_gcd(a: i128, b: i128) -> (i128, i128, i128) {
    let (mut r, mut s, mut t) = ((a, b), (1, 0), (0, 1));
    while r.1 != 0 {
        let quotient = r.0 / r.1;
        r = (r.1, r.0 - quotient * r.1);
        s = (s.1, s.0 - quotient * s.1);
        t = (t.1, t.0 - quotient * t.1);
    }
    (r.0, s.0, t.0)
}
