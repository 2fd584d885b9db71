//! Coordinates for a graph: a layered layout.
//!
//! The method is that of Sugiyama, Tagawa and Toda (*Methods for visual understanding of
//! hierarchical system structures*, IEEE Trans. SMC 11(2), 1981), in its usual five steps, one
//! module each:
//!
//! 1. [`acyclic`]: a set of edges is turned round so that no cycle is left;
//! 2. [`simplex`], [`layers`]: every node gets a layer, edges going from earlier to later layers;
//!    edges are cut at the layers they cross, and a labelled edge keeps a place as wide as its
//!    label;
//! 3. [`order`]: the members of each layer are permuted so that few edges cross;
//! 4. [`coordinates`]: they get positions along the layer, long edges straight;
//! 5. [`routes`], [`loops`]: edges become smooth curves from border to border.
//!
//! Connected components are laid out one by one and set side by side by [`pack`].
//!
//! What holds of every result, and is tested on random graphs: nodes and labels do not overlap, a
//! curve starts and ends on the borders of its nodes, and no two runs differ.

mod acyclic;
mod coordinates;
mod layers;
mod loops;
mod order;
mod pack;
mod routes;
mod simplex;

use super::{Rank, Shape};
use layers::{Layered, Part, PartEdge};
use loops::Block;
pub(super) use loops::hexagon_tip;

/// A point of the picture; `y` grows downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A width and a height.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Size {
    pub width: f64,
    pub height: f64,
}

/// A rectangle, by its centre and size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Frame {
    pub centre: Point,
    pub size: Size,
}

/// What the layout must know of a node.
#[derive(Debug, Clone)]
pub(super) struct NodeSpec {
    pub size: Size,
    pub shape: Shape,
    /// Whether room for the initial mark is needed before it.
    pub initial: bool,
    pub rank: Rank,
}

/// What the layout must know of an edge.
#[derive(Debug, Clone)]
pub(super) struct EdgeSpec {
    pub tail: usize,
    pub head: usize,
    pub label: Option<Size>,
}

/// A graph to be laid out.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    pub nodes: Vec<NodeSpec>,
    pub edges: Vec<EdgeSpec>,
}

/// A chain of cubic Bézier curves from an edge's tail to its head, and the centre of its label.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Route {
    pub start: Point,
    /// Two control points and an end for each piece.
    pub pieces: Vec<[Point; 3]>,
    pub label: Option<Point>,
}

impl Route {
    /// Where the route ends.
    #[cfg(test)]
    pub fn end(&self) -> Point {
        self.pieces.last().map_or(self.start, |piece| piece[2])
    }

    /// The same curve from its end to its start.
    fn reversed(self) -> Self {
        let mut points: Vec<Point> = std::iter::once(self.start)
            .chain(self.pieces.iter().flat_map(|piece| piece.iter().copied()))
            .collect();
        points.reverse();
        let pieces = points[1..].chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        Self { start: points[0], pieces, label: self.label }
    }

    fn map(&mut self, change: impl Fn(Point) -> Point) {
        self.start = change(self.start);
        self.pieces.iter_mut().flatten().for_each(|point| *point = change(*point));
        self.label = self.label.map(change);
    }
}

/// A graph laid out, with its upper left corner at the origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placement {
    pub size: Size,
    pub nodes: Vec<Frame>,
    pub edges: Vec<Route>,
}

/// Room for the arrow that marks an initial node.
pub(super) const INITIAL_MARK: f64 = 26.0;
/// Between an edge and its label.
const LABEL_PAD: f64 = 5.0;

/// Lays the graph out. Every edge must name nodes of the request.
pub(super) fn place(request: &Request) -> Placement {
    let components = components(request);
    let parts: Vec<Placement> = components.iter().map(|one| place_connected(&one.graph)).collect();
    let sizes: Vec<Size> = parts.iter().map(|part| part.size).collect();
    let (corners, size) = pack::shelves(&sizes);
    let mut nodes = vec![Frame::default(); request.nodes.len()];
    let mut edges = vec![Route::default(); request.edges.len()];
    for ((component, part), corner) in components.iter().zip(parts).zip(corners) {
        let shift = |p: Point| Point { x: p.x + corner.x, y: p.y + corner.y };
        for (&at, frame) in component.nodes.iter().zip(part.nodes) {
            nodes[at] = Frame { centre: shift(frame.centre), ..frame };
        }
        for (&at, mut route) in component.edges.iter().zip(part.edges) {
            route.map(shift);
            edges[at] = route;
        }
    }
    Placement { size, nodes, edges }
}

/// One connected component.
#[derive(Debug, Default)]
struct Component {
    /// The component as a graph of its own.
    graph: Request,
    /// What its nodes and edges are in the whole graph, in increasing order.
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

/// The connected components, in the order of their first nodes.
fn components(request: &Request) -> Vec<Component> {
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    let count = request.nodes.len();
    let mut leader: Vec<usize> = (0..count).collect();
    for edge in &request.edges {
        let (a, b) = (find(&mut leader, edge.tail), find(&mut leader, edge.head));
        // The smaller number leads, so that a component is met at its first node.
        leader[a.max(b)] = a.min(b);
    }
    // For each node its component, and its number there.
    let mut index = vec![(0, 0); count];
    let mut components: Vec<Component> = Vec::new();
    for (node, spec) in request.nodes.iter().enumerate() {
        let first = find(&mut leader, node);
        if first == node {
            components.push(Component::default());
        }
        let at = if first == node { components.len() - 1 } else { index[first].0 };
        index[node] = (at, components[at].nodes.len());
        components[at].nodes.push(node);
        components[at].graph.nodes.push(spec.clone());
    }
    for (at, edge) in request.edges.iter().enumerate() {
        let component = &mut components[index[edge.tail].0];
        let (tail, head) = (index[edge.tail].1, index[edge.head].1);
        component.edges.push(at);
        component.graph.edges.push(EdgeSpec { tail, head, label: edge.label });
    }
    components
}

/// Lays out a connected graph, its upper left corner at the origin.
fn place_connected(request: &Request) -> Placement {
    let edges = &request.edges;
    let (loops, straight): (Vec<usize>, Vec<usize>) =
        (0..edges.len()).partition(|&at| edges[at].tail == edges[at].head);
    let mut blocks: Vec<Block> = request.nodes.iter().map(Block::new).collect();
    for &at in &loops {
        blocks[edges[at].tail].loops.push((0.0, edges[at].label));
    }
    let ends: Vec<(usize, usize)> =
        straight.iter().map(|&at| (edges[at].tail, edges[at].head)).collect();
    let ranks: Vec<Rank> = request.nodes.iter().map(|node| node.rank).collect();
    let reversed = acyclic::reversed(&ranks, &ends);
    let mut ports = vec![(0, 0); blocks.len()];
    let mut part_edges = Vec::with_capacity(straight.len());
    for (&at, &reversed) in straight.iter().zip(&reversed) {
        let EdgeSpec { tail, head, label } = edges[at];
        let (upper, lower) = if reversed { (head, tail) } else { (tail, head) };
        ports[upper].0 += 1;
        ports[lower].1 += 1;
        part_edges.push(PartEdge { upper, lower, label });
    }
    for (block, (leaving, entering)) in blocks.iter_mut().zip(ports) {
        block.make_room(leaving.max(entering));
    }

    let part = Part { blocks: &blocks, ranks: &ranks, edges: &part_edges };
    let mut layered = Layered::new(&part);
    order::reduce_crossings(&mut layered);
    let x = coordinates::positions(&layered);
    let drawn = routes::draw(&part, &layered, &x);

    // The frame holds everything that has been given room: loops, marks, labels and curves.
    let mut low = Point { x: f64::INFINITY, y: 0.0 };
    let mut high = Point { x: f64::NEG_INFINITY, y: drawn.height };
    for (item, &x) in layered.items.iter().zip(&x) {
        low.x = low.x.min(x - item.left);
        high.x = high.x.max(x + item.right);
    }
    for point in drawn.routes.iter().flat_map(|route| route.pieces.iter().flatten()) {
        low = Point { x: low.x.min(point.x), y: low.y.min(point.y) };
        high = Point { x: high.x.max(point.x), y: high.y.max(point.y) };
    }
    let mut routes = vec![Route::default(); edges.len()];
    for ((&at, route), reversed) in straight.iter().zip(drawn.routes).zip(reversed) {
        routes[at] = if reversed { route.reversed() } else { route };
    }
    let mut of_loops: Vec<_> =
        blocks.iter().zip(&drawn.centres).map(|(block, &at)| block.loop_routes(at)).collect();
    for &at in loops.iter().rev() {
        routes[at] = of_loops[edges[at].tail].pop().unwrap_or_default();
    }
    let shift = |p: Point| Point { x: p.x - low.x, y: p.y - low.y };
    routes.iter_mut().for_each(|route| route.map(shift));
    let frame = |(block, &at): (&Block, &Point)| Frame { centre: shift(at), size: block.size() };
    Placement {
        size: Size { width: high.x - low.x, height: high.y - low.y },
        nodes: blocks.iter().zip(&drawn.centres).map(frame).collect(),
        edges: routes,
    }
}

#[cfg(test)]
mod tests;
