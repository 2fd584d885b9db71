//! Orders of the vertices of a hypergraph, found by going from vertex to vertex.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Edges longer than this are not followed: they say little about which vertices are near, and would cost the
/// square of their length.
const LONGEST: usize = 64;

/// The edges of each vertex, short ones first.
fn edges_of(vertices: usize, edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut of_vertex: Vec<Vec<u32>> = vec![Vec::new(); vertices];
    let mut by_size: Vec<u32> = (0..edges.len() as u32).collect();
    by_size.retain(|edge| edges[*edge as usize].len() <= LONGEST);
    by_size.sort_by_key(|edge| edges[*edge as usize].len());
    for edge in by_size {
        edges[edge as usize].iter().for_each(|vertex| of_vertex[*vertex as usize].push(edge));
    }
    of_vertex
}

/// Depth first: after each vertex those it shares the shortest edges with.
pub(super) fn deep(vertices: usize, edges: &[Vec<u32>]) -> Vec<u32> {
    let of_vertex = edges_of(vertices, edges);
    let mut order = Vec::with_capacity(vertices);
    let mut met = vec![false; vertices];
    let mut open: Vec<u32> = (0..vertices as u32).rev().collect();
    while let Some(vertex) = open.pop() {
        if std::mem::replace(&mut met[vertex as usize], true) {
            continue;
        }
        order.push(vertex);
        for edge in of_vertex[vertex as usize].iter().rev() {
            let near = edges[*edge as usize].iter().rev();
            open.extend(near.filter(|vertex| !met[**vertex as usize]));
        }
    }
    order
}

/// Next is always the vertex whose edges have come to the largest part, on average; of several such, one
/// that shares an edge with one that came late.
pub(super) fn tight(vertices: usize, edges: &[Vec<u32>]) -> Vec<u32> {
    let of_vertex = edges_of(vertices, edges);
    let mut order = Vec::with_capacity(vertices);
    let mut came = vec![false; vertices];
    // How much of its edges has come, and when the last of that did.
    let mut ranks = vec![(0_u64, 0_u32); vertices];
    let mut open: BinaryHeap<_> = (0..vertices as u32).map(|v| ((0, 0), Reverse(v))).collect();
    while let Some((rank, Reverse(vertex))) = open.pop() {
        if rank != ranks[vertex as usize] || std::mem::replace(&mut came[vertex as usize], true) {
            continue;
        }
        order.push(vertex);
        for edge in &of_vertex[vertex as usize] {
            let edge = &edges[*edge as usize];
            for near in edge.iter().filter(|near| !came[**near as usize]) {
                let parts = edge.len() * of_vertex[*near as usize].len();
                let (score, _) = ranks[*near as usize];
                let rank = (score + (1 << 40) / parts as u64, order.len() as u32);
                ranks[*near as usize] = rank;
                open.push((rank, Reverse(*near)));
            }
        }
    }
    order
}
