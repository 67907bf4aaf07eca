// What a slider is made of: read from the native fields that the server sent, built as elements.
import { Scale } from "./scale.js";
import { language, words as texts } from "./words.js";

const ROOM = 0.1, ROOM_ON_A_PHONE = 0.2; // shares of the line that the words of a label need
const MOST_TICKS = 11; // with more points than that, only those with labels get a tick
const FEW_POINTS = 10; // with more steps than that, they are too narrow for a finger on a phone

export function scaleOf(fieldset) {
  const { minimum, maximum, step, decimals } = fieldset.dataset;
  const labels = new Map([...fieldset.querySelectorAll("data")].map((each) => [each.value, each.textContent]));
  return new Scale({ minimum: Number(minimum), maximum: Number(maximum), step: Number(step), decimals: Number(decimals), labels });
}

/** What the server sent as chosen: going back, or after a fault; else null. */
export function chosenIn(fieldset, scale) {
  const text = (fieldset.querySelector(":checked") ?? fieldset.querySelector("input[type=number]"))?.value ?? "";
  return text !== "" && scale.has(Number(text)) ? scale.nearest(Number(text)) : null;
}

export function build(scale, fieldset) {
  const field = element("input", { type: "hidden", name: fieldset.dataset.scale });
  const figure = element("span", {});
  const words = element("span", { dir: "auto" });
  // Said by the track itself already, so hidden from those who hear the page.
  const value = element("div", { class: "slider-value", "aria-hidden": "true" },
    reserved("slider-figure", figure, ["–", scale.show(scale.minimum), scale.show(scale.maximum)]),
    reserved("slider-words", words, scale.captions()));
  const fill = element("span", { class: "slider-fill" });
  const handle = element("span", { class: "slider-handle" });
  const line = element("span", { class: "slider-line" }, fill, ...ticks(scale), handle);
  const track = element("div", {
    class: "slider-track", role: "slider", tabindex: "0", "aria-labelledby": fieldset.getAttribute("aria-labelledby"),
    "aria-valuemin": scale.minimum, "aria-valuemax": scale.maximum, "aria-describedby": "missing",
  }, line);
  const steps = scale.last > FEW_POINTS ? [stepButton(-1, texts.rating.step_down, "−"), stepButton(1, texts.rating.step_up, "+")] : [];
  const whole = element("div", { class: "slider" }, value, track, ...steps, labels(scale), field);
  return { whole, track, line, fill, handle, figure, words, field, steps };
}

/** A place as large as the largest of the texts that may come into it, so that nothing moves when one does. */
function reserved(name, place, all) {
  return element("span", { class: name }, place, ...all.map((text) => element("span", { class: "reserve", dir: "auto" }, text)));
}

/** For fingers, which are wider than a step; the keyboard has its arrows on the line itself. */
function stepButton(step, name, sign) {
  return element("button", { type: "button", class: "slider-step", tabindex: "-1", "aria-label": name, "data-step": step }, sign);
}

function ticks(scale) {
  const every = scale.last < MOST_TICKS;
  const values = every ? [...Array(scale.last + 1).keys()].map((index) => scale.at(index)) : scale.anchors.map((one) => one.value);
  return values.map((value) => placed(element("span", { class: "slider-tick" }), scale.share(value)));
}

/** The two ends always, and every point that has a label. Where words would collide, those of the ends stay. */
function labels(scale) {
  const wanted = new Map([[scale.minimum, ""], [scale.maximum, ""], ...scale.anchors.map((one) => [one.value, one.label])]);
  const named = [...wanted].sort((one, other) => one[0] - other[0]);
  const whole = element("div", { class: "slider-labels", "aria-hidden": "true" });
  for (const [value, label] of named) {
    const figure = element("b", {});
    figure.textContent = value.toLocaleString(language);
    const words = element("span", { class: "slider-label" }, label);
    whole.append(placed(element("span", { dir: "auto" }, figure, words), scale.share(value)));
  }
  const gap = Math.min(...named.slice(1).map(([value], place) => scale.share(value) - scale.share(named[place][0])));
  const share = Math.min(1 / named.length, gap);
  whole.style.setProperty("--share", `${100 * share}%`);
  whole.style.setProperty("--end", `${100 * Math.min(0.5, gap - share / 2)}%`);
  if (gap < ROOM_ON_A_PHONE) whole.dataset.dense = gap < ROOM ? "everywhere" : "on a phone";
  return whole;
}

function placed(made, share) {
  made.style.setProperty("--at", share);
  return made;
}

export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, text]) => made.setAttribute(key, text));
  made.append(...children);
  return made;
}
