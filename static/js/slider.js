// A scale as a line to click: no handle and no value until the person acts, so that no start position draws answers.
// The native fields stay in the page, switched off; who prefers them (see preferences.js) gets no line at all.
import { prefers } from "./preferences.js";
import { Typing } from "./scale.js";
import { build, chosenIn, scaleOf } from "./slider_parts.js";
import { fill, language, words as texts } from "./words.js";

const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const DRAG = 6; // pixels that a finger moves along the line before it drags
const NEAR = 40; // pixels from the line within which a drag follows the finger; farther away it is slower
const HELD = 400, AGAIN = 250; // milliseconds until a step button that is held steps on, and between two steps

export function startSliders(root) {
  root.querySelectorAll("fieldset[data-scale]:not([data-ready])").forEach((fieldset) => {
    if (!prefers("plain-scale")) fieldset.slider = new Slider(fieldset);
    fieldset.dataset.ready = "";
  });
}

class Slider {
  constructor(fieldset) {
    this.fieldset = fieldset;
    this.scale = scaleOf(fieldset);
    this.typing = new Typing(this.scale);
    this.parts = build(this.scale, fieldset);
    this.show(chosenIn(fieldset, this.scale));
    fieldset.querySelectorAll(".plain input").forEach((input) => { input.disabled = true; });
    fieldset.querySelector(".plain").hidden = true;
    fieldset.append(this.parts.whole);
    this.parts.track.addEventListener("keydown", (event) => this.onKey(event));
    this.listenToPointer();
    this.parts.steps.forEach((button) => this.listenToSteps(button, Number(button.dataset.step)));
  }

  /** Shows a value, or null for none, and says nothing about it. */
  show(value) {
    const { whole, track, fill: filled, handle, figure, words, field, steps } = this.parts;
    this.value = value;
    const unset = value === null;
    whole.toggleAttribute("data-unset", unset);
    handle.hidden = filled.hidden = unset;
    steps.forEach((button) => { button.disabled = unset; }); // they change a value, and bring none
    field.value = unset ? "" : this.scale.write(value);
    figure.textContent = unset ? "–" : this.scale.show(value);
    words.textContent = unset ? texts.rating.unset : this.scale.words(value);
    // The role demands a number even where there is none yet; the text is what is said.
    track.setAttribute("aria-valuenow", value ?? this.scale.minimum);
    track.setAttribute("aria-valuetext", this.scale.say(value));
    if (!unset) whole.style.setProperty("--at", this.scale.share(value));
  }

  /** The person's choice of a moment; `settle` follows when it is made. */
  set(value) {
    if (value === this.value) return;
    this.show(value);
    this.tell("slider:change");
  }

  /** One whole act: a key, a click, or a drag however far it went. */
  choose(value, before = this.value) {
    this.set(value);
    if (this.value !== before) this.tell("slider:settled");
  }

  tell(name, detail = {}) {
    this.fieldset.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: { slider: this, ...detail } }));
  }

  /** Steps from the value; without one, the first press takes the end that the step leads away from. */
  move(steps) {
    if (this.value === null) return this.choose(steps > 0 ? this.scale.minimum : this.scale.maximum);
    return this.choose(this.scale.at(this.scale.index(this.value) + steps));
  }

  type(character) {
    const { value, refused } = this.typing.add(character, performance.now());
    if (value !== undefined) this.choose(value);
    const [minimum, maximum, step] = ["minimum", "maximum", "step"].map((name) => this.scale[name].toLocaleString(language));
    const text = refused && fill(texts.rating.off_scale, { typed: refused, minimum, maximum, step });
    this.tell("slider:typed", { text: text ?? "" });
  }

  onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const whole = Math.max(1, Math.round(1 / this.scale.step), Math.round(this.scale.last / 10));
    if (event.key in STEPS) this.move(STEPS[event.key]);
    else if (event.key === "PageUp") this.move(whole);
    else if (event.key === "PageDown") this.move(-whole);
    else if (event.key === "Home") this.choose(this.scale.minimum);
    else if (event.key === "End") this.choose(this.scale.maximum);
    else return;
    event.preventDefault();
  }

  listenToPointer() {
    const { track } = this.parts;
    let touch = null;
    const listen = (name, act) => track.addEventListener(name, (event) => (touch || name === "pointerdown") && act(event));
    listen("pointerdown", (event) => {
      if (event.button !== 0) return;
      touch = { x: event.clientX, start: event.clientX, share: this.shareAt(event), before: this.value, drags: event.pointerType === "mouse" };
      track.setPointerCapture(event.pointerId);
      // A finger may be on its way to scroll the page: it counts when it lifts, or moves along the line.
      if (touch.drags) this.set(this.scale.along(touch.share));
    });
    listen("pointermove", (event) => {
      touch.drags ||= Math.abs(event.clientX - touch.start) > DRAG;
      touch.share += ((event.clientX - touch.x) / this.line().width) * this.speedAt(event);
      touch.x = event.clientX;
      if (touch.drags) this.set(this.scale.along(touch.share));
    });
    listen("pointerup", () => {
      this.choose(this.scale.along(touch.share), touch.before);
      touch = null;
    });
    listen("pointercancel", () => {
      this.set(touch.before);
      touch = null;
    });
  }

  line() {
    return this.parts.line.getBoundingClientRect();
  }

  shareAt({ clientX }) {
    return (clientX - this.line().left) / this.line().width;
  }

  speedAt({ clientY }) {
    const away = Math.abs(clientY - this.line().top) - NEAR;
    return away > 0 ? 1 / (1 + away / NEAR) : 1;
  }

  /** A press is a step; held, it steps on until it is let go: one act, like a drag. */
  listenToSteps(button, step) {
    let before, timer;
    const stepOn = (pause) => {
      this.set(this.scale.at(this.scale.index(this.value) + step));
      timer = setTimeout(stepOn, pause, AGAIN);
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || button.disabled) return;
      event.preventDefault(); // the focus goes to the line, where the keys are heard
      this.focus();
      before = this.value;
      stepOn(HELD);
    });
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      button.addEventListener(name, () => {
        clearTimeout(timer);
        if (before !== undefined) this.choose(this.value, before);
        before = undefined;
      });
    }
    // A click without a pointer comes from a program that reads the page aloud.
    button.addEventListener("click", (event) => { if (event.detail === 0) this.move(step); });
  }

  /** Where the page is scrolled to stays as it is, for those who read while they rate. */
  focus() {
    this.parts.track.focus({ preventScroll: true });
  }
}
