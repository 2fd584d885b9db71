// How long frames take while something moves: for the tests, and for whoever wonders.

/** Calls `move(i)` for each of some frames, and gives what they took in milliseconds: `{frames, median, worst, late}`. */
export function measureFrames(move, frames = 120) {
  return new Promise((resolve) => {
    const times = [];
    let before = null;
    const frame = (now) => {
      if (before !== null) times.push(now - before);
      before = now;
      if (times.length === frames) {
        const sorted = [...times].sort((a, b) => a - b);
        resolve({ frames, median: sorted[frames >> 1], p95: sorted[Math.floor(frames * 0.95)], worst: sorted.at(-1), late: times.filter((time) => time > 34).length });
        return;
      }
      move(times.length);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
