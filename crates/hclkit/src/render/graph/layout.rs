//! Places rectangles in layers from left to right, after Sugiyama, Tagawa and Toda (1981): references point to the right as
//! far as there are no cycles, cross each other little, and are almost straight. The same input gives the same picture.

/// Between the layers, and between the rectangles of a layer.
const LAYER_GAP: f64 = 56.0;
const GAP: f64 = 12.0;
/// The room for an edge that passes a layer.
const LANE: f64 = 6.0;
/// How often the layers are ordered, and how often their rectangles are moved.
const SWEEPS: usize = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The upper left corner of each rectangle.
    pub(super) corners: Vec<Point>,
    /// The points of each edge, in its direction.
    pub(super) routes: Vec<Vec<Point>>,
    pub(super) size: Size,
}

/// Lays out rectangles with edges between them. An edge must not begin and end at the same rectangle.
pub(super) fn layered(sizes: &[Size], edges: &[(usize, usize)]) -> Layout {
    if sizes.is_empty() {
        return Layout::default();
    }
    let reversed = reversed(sizes.len(), edges);
    let forward: Vec<(usize, usize)> =
        edges.iter().zip(&reversed).map(|(&(a, b), &turned)| if turned { (b, a) } else { (a, b) }).collect();
    let layer_of = layers(sizes.len(), &forward);
    let mut grid = Grid::new(sizes, &layer_of);
    let chains: Vec<Vec<usize>> = forward.iter().map(|&(from, to)| grid.connect(from, to)).collect();
    grid.order();
    let ys = grid.heights();
    let (lefts, width) = grid.columns();
    let middle = |vertex: usize| ys[vertex] + grid.sizes[vertex].height / 2.0;
    let corners = (0..sizes.len()).map(|vertex| {
        let column = grid.layer_of[vertex];
        Point { x: lefts[column] + (grid.widest[column] - sizes[vertex].width) / 2.0, y: ys[vertex] }
    });
    let corners: Vec<Point> = corners.collect();
    let routes = chains.iter().zip(&reversed).map(|(chain, &turned)| {
        let mut points = Vec::new();
        for (at, &vertex) in chain.iter().enumerate() {
            let column = grid.layer_of[vertex];
            let (mut left, mut right) = (lefts[column], lefts[column] + grid.widest[column]);
            if vertex < sizes.len() {
                left = corners[vertex].x;
                right = left + sizes[vertex].width;
            }
            if at > 0 {
                points.push(Point { x: left, y: middle(vertex) });
            }
            if at + 1 < chain.len() {
                points.push(Point { x: right, y: middle(vertex) });
            }
        }
        if turned {
            points.reverse();
        }
        points
    });
    let routes = routes.collect();
    let height =
        (0..grid.sizes.len()).map(|vertex| ys[vertex] + grid.sizes[vertex].height).fold(0.0, f64::max);
    Layout { corners, routes, size: Size { width, height } }
}

/// A number of vertices, which are far fewer than `u32` can count.
pub(super) fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::MAX, f64::from)
}

/// Which edges must be turned so that there is no cycle: those to a vertex that is being visited.
fn reversed(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, &(from, _)) in edges.iter().enumerate() {
        out[from].push(number);
    }
    let mut reversed = vec![false; edges.len()];
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    for start in 0..count {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        open[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((vertex, next)) = stack.pop() {
            let Some(&edge) = out[vertex].get(next) else {
                open[vertex] = false;
                continue;
            };
            stack.push((vertex, next + 1));
            let to = edges[edge].1;
            if open[to] {
                reversed[edge] = true;
            } else if !seen[to] {
                seen[to] = true;
                open[to] = true;
                stack.push((to, 0));
            }
        }
    }
    reversed
}

/// The layer of each vertex: one more than the last of those that refer to it; a vertex that nothing refers to is beside
/// the first that it refers to.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut out, mut incoming) = (vec![Vec::new(); count], vec![0_usize; count]);
    for &(from, to) in edges {
        out[from].push(to);
        incoming[to] += 1;
    }
    let starts: Vec<usize> = (0..count).filter(|&vertex| incoming[vertex] == 0).collect();
    let mut layer = vec![0; count];
    let mut open = starts.clone();
    while let Some(vertex) = open.pop() {
        for &to in &out[vertex] {
            layer[to] = layer[to].max(layer[vertex] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                open.push(to);
            }
        }
    }
    for vertex in starts {
        if let Some(first) = out[vertex].iter().map(|&to| layer[to]).min() {
            layer[vertex] = first - 1;
        }
    }
    layer
}

/// Layers of vertices. Long edges have a vertex in each layer that they pass.
struct Grid {
    sizes: Vec<Size>,
    layer_of: Vec<usize>,
    /// The vertices of each layer, from top to bottom.
    layers: Vec<Vec<usize>>,
    /// The neighbors in the layer before, and in the layer after.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// The width of each layer.
    widest: Vec<f64>,
    /// The vertices up to here are those of the graph.
    real: usize,
}

impl Grid {
    fn new(sizes: &[Size], layer_of: &[usize]) -> Self {
        let count = layer_of.iter().max().map_or(0, |last| last + 1);
        let (mut layers, mut widest) = (vec![Vec::new(); count], vec![0.0_f64; count]);
        for (vertex, &layer) in layer_of.iter().enumerate() {
            layers[layer].push(vertex);
            widest[layer] = widest[layer].max(sizes[vertex].width);
        }
        let none = vec![Vec::new(); sizes.len()];
        Self {
            sizes: sizes.to_vec(),
            layer_of: layer_of.to_vec(),
            layers,
            before: none.clone(),
            after: none,
            widest,
            real: sizes.len(),
        }
    }

    /// Connects two vertices, and returns the vertices on the way, including both.
    fn connect(&mut self, from: usize, to: usize) -> Vec<usize> {
        let mut chain = vec![from];
        for layer in self.layer_of[from] + 1..self.layer_of[to] {
            let vertex = self.sizes.len();
            self.sizes.push(Size { width: 0.0, height: LANE });
            self.layer_of.push(layer);
            self.layers[layer].push(vertex);
            self.before.push(Vec::new());
            self.after.push(Vec::new());
            chain.push(vertex);
        }
        chain.push(to);
        for pair in chain.windows(2) {
            self.after[pair[0]].push(pair[1]);
            self.before[pair[1]].push(pair[0]);
        }
        chain
    }

    /// Orders the layers so that few edges cross: each vertex goes to the mean place of its neighbors in the layer
    /// before, then in the layer after, and so on; the best order wins.
    fn order(&mut self) {
        let mut place = vec![0; self.sizes.len()];
        self.note_places(&mut place);
        let mut best = (self.crossings(&place), self.layers.clone());
        for sweep in 0..SWEEPS {
            let is_forward = sweep % 2 == 0;
            let last = self.layers.len();
            for step in 1..last {
                let layer = if is_forward { step } else { last - 1 - step };
                let neighbors = if is_forward { &self.before } else { &self.after };
                let mean = |vertex: usize| {
                    let all = &neighbors[vertex];
                    let sum: usize = all.iter().map(|&other| place[other]).sum();
                    if all.is_empty() { count(place[vertex]) } else { count(sum) / count(all.len()) }
                };
                let mut keyed: Vec<(f64, usize)> =
                    self.layers[layer].iter().map(|&vertex| (mean(vertex), vertex)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                for (at, &(_, vertex)) in keyed.iter().enumerate() {
                    self.layers[layer][at] = vertex;
                    place[vertex] = at;
                }
            }
            let crossings = self.crossings(&place);
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
            if crossings == 0 {
                break;
            }
        }
        self.layers = best.1;
    }

    fn note_places(&self, place: &mut [usize]) {
        for layer in &self.layers {
            for (at, &vertex) in layer.iter().enumerate() {
                place[vertex] = at;
            }
        }
    }

    /// The number of pairs of edges that cross, counted with a Fenwick tree for each layer.
    fn crossings(&self, place: &[usize]) -> usize {
        let mut crossings = 0;
        for (number, layer) in self.layers.iter().enumerate() {
            let next = self.layers.get(number + 1).map_or(0, Vec::len);
            let (mut tree, mut total) = (vec![0_usize; next + 1], 0);
            for &vertex in layer {
                let ends: Vec<usize> = self.after[vertex].iter().map(|&to| place[to]).collect();
                for end in &ends {
                    // Those before that end at most here do not cross this edge.
                    let (mut at, mut fine) = (end + 1, 0);
                    while at > 0 {
                        fine += tree[at];
                        at &= at - 1;
                    }
                    crossings += total - fine;
                }
                for end in &ends {
                    let mut at = end + 1;
                    while at <= next {
                        tree[at] += 1;
                        at += at & at.wrapping_neg();
                    }
                }
                total += ends.len();
            }
        }
        crossings
    }

    /// The top of each vertex: as near as possible to the mean of its neighbors, in the order of the layers.
    fn heights(&self) -> Vec<f64> {
        let mut middle = vec![0.0; self.sizes.len()];
        for layer in &self.layers {
            let mut bottom = 0.0;
            for &vertex in layer {
                middle[vertex] = bottom + self.sizes[vertex].height / 2.0;
                bottom += self.sizes[vertex].height + self.gap(vertex);
            }
        }
        for sweep in 0..SWEEPS {
            let last = self.layers.len();
            for step in 0..last {
                let layer = if sweep % 2 == 0 { step } else { last - 1 - step };
                let wanted = |vertex: usize| {
                    let (before, after) = (&self.before[vertex], &self.after[vertex]);
                    let neighbors: &[&Vec<usize>] = match sweep % 2 {
                        _ if sweep + 2 >= SWEEPS => &[before, after],
                        0 => &[before],
                        _ => &[after],
                    };
                    let all = || neighbors.iter().flat_map(|some| some.iter()).map(|&other| middle[other]);
                    let number = all().count();
                    if number == 0 { middle[vertex] } else { all().sum::<f64>() / count(number) }
                };
                let targets: Vec<f64> = self.layers[layer].iter().map(|&vertex| wanted(vertex)).collect();
                for (at, value) in self.apart(&self.layers[layer], &targets).into_iter().enumerate() {
                    middle[self.layers[layer][at]] = value;
                }
            }
        }
        let tops = middle.iter().zip(&self.sizes).map(|(middle, size)| middle - size.height / 2.0);
        let tops: Vec<f64> = tops.collect();
        let first = tops.iter().copied().fold(f64::INFINITY, f64::min);
        tops.into_iter().map(|top| top - first).collect()
    }

    /// The middles of vertices in this order, as near as possible to the targets, with their gaps. This is isotonic
    /// regression by pooling adjacent violators.
    fn apart(&self, layer: &[usize], targets: &[f64]) -> Vec<f64> {
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(layer.len());
        // The mean and the number of vertices that are moved together.
        let mut pools: Vec<(f64, usize)> = Vec::new();
        for (at, &vertex) in layer.iter().enumerate() {
            if let Some(&above) = at.checked_sub(1).and_then(|above| layer.get(above)) {
                let halves = f64::midpoint(self.sizes[above].height, self.sizes[vertex].height);
                offset += halves + self.gap(above).max(self.gap(vertex));
            }
            offsets.push(offset);
            let mut pool = (targets[at] - offset, 1);
            while let Some(&(mean, number)) = pools.last()
                && mean >= pool.0
            {
                pools.pop();
                let both = number + pool.1;
                pool = ((mean * count(number) + pool.0 * count(pool.1)) / count(both), both);
            }
            pools.push(pool);
        }
        let means = pools.into_iter().flat_map(|(mean, number)| std::iter::repeat_n(mean, number));
        means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
    }

    fn gap(&self, vertex: usize) -> f64 {
        if vertex < self.real { GAP } else { LANE }
    }

    /// The left end of each layer, and the width of all.
    fn columns(&self) -> (Vec<f64>, f64) {
        let mut left = 0.0;
        let mut lefts = Vec::with_capacity(self.widest.len());
        for width in &self.widest {
            lefts.push(left);
            left += width + LAYER_GAP;
        }
        (lefts, left - LAYER_GAP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random graphs with cycles: rectangles do not overlap, edges begin and end at their sides, and edges of graphs
    /// without cycles lead to the right.
    #[test]
    fn rectangles_do_not_overlap() {
        let mut rng = fastrand::Rng::with_seed(7);
        for turn in 0..300 {
            let count = rng.usize(1..40);
            let sizes: Vec<Size> = (0..count)
                .map(|_| Size { width: rng.f64() * 200.0 + 10.0, height: rng.f64() * 90.0 + 10.0 })
                .collect();
            let mut edges = Vec::new();
            for _ in 0..rng.usize(0..count * 2) {
                let (a, b) = (rng.usize(0..count), rng.usize(0..count));
                if a != b {
                    edges.push(if turn % 2 == 0 { (a.min(b), a.max(b)) } else { (a, b) });
                }
            }
            edges.sort_unstable();
            edges.dedup();
            let found = layered(&sizes, &edges);
            for (at, (one, size)) in found.corners.iter().zip(&sizes).enumerate() {
                assert!(one.x >= -1e-6 && one.x + size.width <= found.size.width + 1e-6, "{turn}");
                assert!(one.y >= -1e-6 && one.y + size.height <= found.size.height + 1e-6, "{turn}");
                for (other, other_size) in found.corners.iter().zip(&sizes).skip(at + 1) {
                    let apart = one.x + size.width <= other.x + 1e-6
                        || other.x + other_size.width <= one.x + 1e-6
                        || one.y + size.height <= other.y + 1e-6
                        || other.y + other_size.height <= one.y + 1e-6;
                    assert!(apart, "{turn}: {one:?} {size:?} {other:?} {other_size:?}");
                }
            }
            for (&(from, to), route) in edges.iter().zip(&found.routes) {
                let side = |vertex: usize, point: Point| {
                    let (corner, size) = (found.corners[vertex], sizes[vertex]);
                    (point.y - corner.y - size.height / 2.0).abs() < 1e-6
                        && ((point.x - corner.x).abs() < 1e-6
                            || (point.x - corner.x - size.width).abs() < 1e-6)
                };
                assert!(side(from, route[0]) && side(to, route[route.len() - 1]), "{turn}");
                if turn % 2 == 0 {
                    assert!(route.windows(2).all(|pair| pair[0].x <= pair[1].x + 1e-6), "{turn}: {route:?}");
                }
            }
        }
    }

    #[test]
    fn two_edges_that_need_not_cross_do_not() {
        let size = Size { width: 10.0, height: 10.0 };
        let found = layered(&[size; 4], &[(0, 3), (1, 2)]);
        assert!(found.corners[0].y < found.corners[1].y);
        assert!(found.corners[3].y < found.corners[2].y);
        // A chain is straight.
        let chain = layered(&[size; 3], &[(0, 1), (1, 2), (0, 2)]);
        assert!((chain.corners[0].y - chain.corners[2].y).abs() < 10.0, "{chain:?}");
    }
}
