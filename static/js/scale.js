// The arithmetic of a scale, and how its values are written, shown and said.
import { fill, language, words } from "./words.js";

export class Scale {
  /** @param labels Map from a value as written to its label */
  constructor({ minimum, maximum, step, decimals, labels }) {
    Object.assign(this, { minimum, maximum, step, decimals, labels });
    this.last = Math.round((maximum - minimum) / step);
    this.anchors = [...labels].map(([text, label]) => ({ value: Number(text), label })).sort((a, b) => a.value - b.value);
  }

  /** The point with that index from 0 to `last`. Counting in whole steps keeps 0.1 + 0.2 from becoming 0.30000004. */
  at(index) {
    return Number((this.minimum + Math.min(Math.max(index, 0), this.last) * this.step).toFixed(this.decimals));
  }

  index(value) {
    return Math.round((value - this.minimum) / this.step);
  }

  nearest(value) {
    return this.at(this.index(value));
  }

  /** The point nearest to a share of the line; beyond its ends, the end. */
  along(share) {
    return this.nearest(this.minimum + share * (this.maximum - this.minimum));
  }

  /** From 0 at the low end to 1 at the high end. */
  share(value) {
    return (value - this.minimum) / (this.maximum - this.minimum);
  }

  has(value) {
    return Number.isFinite(value) && value >= this.minimum && value <= this.maximum
      && Math.abs(this.nearest(value) - value) < this.step / 1000;
  }

  /** For the server. */
  write(value) {
    return value.toFixed(this.decimals);
  }

  /** For the reader. */
  show(value) {
    return value.toLocaleString(language, { minimumFractionDigits: this.decimals, maximumFractionDigits: this.decimals });
  }

  /** What stands beside the figure: the label of the point, or between which labels it lies. */
  words(value) {
    const exact = this.anchors.find((anchor) => Math.abs(anchor.value - value) < this.step / 1000);
    if (exact) return exact.label;
    if (this.anchors.length < 3) return this.extent();
    const below = this.anchors.findLast((anchor) => anchor.value < value);
    const above = this.anchors.find((anchor) => anchor.value > value);
    return below && above ? fill(words.rating.between, { below: below.label, above: above.label }) : "";
  }

  /** Every text that `words` may give, and the one for no value. */
  captions() {
    const points = Array.from({ length: this.last + 1 }, (_, index) => this.words(this.at(index)));
    return [...new Set([words.rating.unset, ...points])];
  }

  extent() {
    return fill(this.minimum === 0 ? words.rating.of : words.rating.range, this);
  }

  /** The value in words, for those who hear it. */
  say(value) {
    if (value === null) return words.rating.unset;
    const meaning = this.words(value);
    if (!meaning) return this.show(value);
    return meaning === this.extent() ? `${this.show(value)} ${meaning}` : `${this.show(value)}, ${meaning}`;
  }
}

/** Collects typed characters into a value: 2 . 5 within a second is 2.5, and 3 then 5 on a whole scale to 6 is 5. */
export class Typing {
  constructor(scale) {
    this.scale = scale;
    this.text = "";
    this.until = 0;
  }

  /** The value after one more character, or what is typed and is on no scale like this; neither where it may become one. */
  add(character, now) {
    const before = now < this.until ? this.text : "";
    this.until = now + 1000;
    // Behind a decimal sign a digit belongs to the number; else it may be the first of another one.
    for (this.text of before.includes(".") ? [before + character] : [before + character, character]) {
      if (/\d$/.test(this.text) && this.scale.has(Number(this.text))) return { value: this.scale.nearest(Number(this.text)) };
      if (this.mayBecome(this.text)) return {};
    }
    this.text = "";
    return { refused: before + character };
  }

  /** Whether some point of the scale begins with these characters: the 5 of 50 on a scale from 10 to 90. */
  mayBecome(text) {
    const points = Array.from({ length: this.scale.last + 1 }, (_, index) => this.scale.write(this.scale.at(index)));
    return points.some((point) => point.startsWith(text));
  }
}
