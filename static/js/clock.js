// How long an answer took, by the browser's own steady clock: until first touched, until answered, and in use.

const PATIENCE = 30000; // without a sign of life for this long, the person is taken to be away
const SIGNS = ["pointermove", "pointerdown", "keydown", "scroll", "wheel", "touchmove"];

export class Clock {
  constructor() {
    this.start = this.mark = this.lastSign = performance.now();
    this.active = 0;
    this.touched = null;
    this.acts = 0;
    this.visible = document.visibilityState === "visible";
    this.stop = new AbortController();
    const listening = { signal: this.stop.signal, passive: true, capture: true };
    SIGNS.forEach((name) => document.addEventListener(name, () => this.onSign(), listening));
    document.addEventListener("visibilitychange", () => this.onSign(), listening);
  }

  /** Adds the time since the last mark, as far as the page was in sight and in use. */
  tally(now) {
    const inUse = Math.min(now, this.lastSign + PATIENCE) - this.mark;
    if (this.visible && inUse > 0) this.active += inUse;
    this.mark = now;
  }

  onSign() {
    const now = performance.now();
    this.tally(now);
    this.lastSign = now;
    this.visible = document.visibilityState === "visible";
  }

  /** The person did something to the answer. */
  touch() {
    this.touched ??= performance.now() - this.start;
  }

  /** The answer as a whole changed: the first time is the answer, every further time an adjustment. */
  act() {
    this.touch();
    this.acts += 1;
  }

  /** Whether the screen has only just come, and nothing was done on it yet. */
  isNew() {
    return this.touched === null && performance.now() - this.start < 400;
  }

  times() {
    const now = performance.now();
    this.tally(now);
    const [answered, active] = [now - this.start, this.active].map(Math.round);
    return {
      touched_ms: this.touched === null ? "" : Math.round(this.touched),
      answered_ms: answered, active_ms: active, adjustments: Math.max(0, this.acts - 1),
    };
  }
}
