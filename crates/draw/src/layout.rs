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

use super::Rank;
use layers::{Layered, Part, PartEdge};
use loops::Block;

/// A point of the picture; `y` grows downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
}

/// A width and a height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub width: f64,
    pub height: f64,
}

/// A rectangle, by its centre and size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    pub centre: Point,
    pub size: Size,
}

/// What the layout must know of a node.
#[derive(Debug, Clone)]
pub(super) struct NodeSpec {
    pub size: Size,
    /// Whether the outline is the ellipse inside the frame rather than the frame.
    pub round: bool,
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
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub nodes: Vec<NodeSpec>,
    pub edges: Vec<EdgeSpec>,
}

/// A chain of cubic Bézier curves from an edge's tail to its head, and the centre of its label.
#[derive(Debug, Clone, PartialEq)]
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

const ORIGIN: Point = Point { x: 0.0, y: 0.0 };

/// Lays the graph out. Every edge must name nodes of the request.
pub(super) fn place(request: &Request) -> Placement {
    let edges = &request.edges;
    let block = |node: &NodeSpec| Block::new(node.size, node.round, node.initial);
    let mut blocks: Vec<Block> = request.nodes.iter().map(block).collect();
    let mut loops_of: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (at, edge) in edges.iter().enumerate().filter(|(_, edge)| edge.tail == edge.head) {
        loops_of[edge.tail].push(at);
    }
    for (block, loops) in blocks.iter_mut().zip(&loops_of) {
        block.make_room(loops.iter().map(|&at| edges[at].label));
    }

    let nowhere = Frame { centre: ORIGIN, size: Size { width: 0.0, height: 0.0 } };
    let mut nodes = vec![nowhere; blocks.len()];
    let empty = Route { start: ORIGIN, pieces: Vec::new(), label: None };
    let mut routes = vec![empty; edges.len()];
    let components = components(blocks.len(), edges);
    let mut sizes = Vec::with_capacity(components.len());
    for component in &components {
        sizes.push(place_component(request, &mut blocks, component, &mut nodes, &mut routes));
        for &node in &component.nodes {
            for (route, &at) in
                blocks[node].loop_routes(nodes[node].centre).into_iter().zip(&loops_of[node])
            {
                routes[at] = route;
            }
        }
    }

    let (corners, size) = pack::shelves(&sizes);
    for (component, corner) in components.iter().zip(corners) {
        let shift = |p: Point| Point { x: p.x + corner.x, y: p.y + corner.y };
        component.nodes.iter().for_each(|&at| nodes[at].centre = shift(nodes[at].centre));
        component.edges.iter().for_each(|&at| routes[at].map(shift));
    }
    Placement { size, nodes, edges: routes }
}

/// The nodes and edges of one connected component, in increasing order.
#[derive(Debug, Default)]
struct Component {
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

/// The connected components, in the order of their first nodes.
fn components(count: usize, edges: &[EdgeSpec]) -> Vec<Component> {
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    let mut leader: Vec<usize> = (0..count).collect();
    for edge in edges {
        let (a, b) = (find(&mut leader, edge.tail), find(&mut leader, edge.head));
        // The smaller number leads, so that a component is met at its first node.
        leader[a.max(b)] = a.min(b);
    }
    let mut index = vec![0; count];
    let mut components: Vec<Component> = Vec::new();
    for node in 0..count {
        let first = find(&mut leader, node);
        if first == node {
            index[node] = components.len();
            components.push(Component::default());
        }
        components[index[first]].nodes.push(node);
    }
    for (at, edge) in edges.iter().enumerate() {
        let first = find(&mut leader, edge.tail);
        components[index[first]].edges.push(at);
    }
    components
}

/// Lays out one component, its upper left corner at the origin; returns its size. Blocks with many
/// edges are widened. Self loops are left to the caller; the room for them is in the blocks.
fn place_component(
    request: &Request,
    blocks: &mut [Block],
    component: &Component,
    nodes: &mut [Frame],
    routes: &mut [Route],
) -> Size {
    let edges = &request.edges;
    let local = |node: usize| component.nodes.partition_point(|&other| other < node);
    let mut part_blocks: Vec<Block> =
        component.nodes.iter().map(|&at| blocks[at].clone()).collect();
    let ranks: Vec<Rank> = component.nodes.iter().map(|&at| request.nodes[at].rank).collect();
    let straight: Vec<usize> =
        component.edges.iter().copied().filter(|&at| edges[at].tail != edges[at].head).collect();
    let ends: Vec<(usize, usize)> =
        straight.iter().map(|&at| (local(edges[at].tail), local(edges[at].head))).collect();
    let reversed = acyclic::reversed(&ranks, &ends);
    let part_edges: Vec<PartEdge> = straight
        .iter()
        .zip(&ends)
        .zip(&reversed)
        .map(|((&at, &(tail, head)), &reversed)| {
            let (upper, lower) = if reversed { (head, tail) } else { (tail, head) };
            PartEdge { upper, lower, label: edges[at].label }
        })
        .collect();

    let mut ports = vec![(0, 0); part_blocks.len()];
    for edge in &part_edges {
        ports[edge.upper].0 += 1;
        ports[edge.lower].1 += 1;
    }
    for (block, (leaving, entering)) in part_blocks.iter_mut().zip(ports) {
        block.widen_for_ports(leaving.max(entering));
    }

    let part = Part { blocks: &part_blocks, ranks: &ranks, edges: &part_edges };
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
    let shift = |p: Point| Point { x: p.x - low.x, y: p.y - low.y };
    for ((&node, &centre), block) in component.nodes.iter().zip(&drawn.centres).zip(part_blocks) {
        nodes[node] = Frame { centre: shift(centre), size: block.size() };
        blocks[node] = block;
    }
    for ((&at, mut route), reversed) in straight.iter().zip(drawn.routes).zip(reversed) {
        route.map(shift);
        routes[at] = if reversed { route.reversed() } else { route };
    }
    Size { width: high.x - low.x, height: high.y - low.y }
}

#[cfg(test)]
mod tests;
