// Best and worst of a tuple: the texts are the buttons, the first is taken as best, the next as worst. The radio buttons
// that the server sent hold the state, so that the form is the same with and without this.
import { makeButton, showMark, stateInWords } from "./choice_view.js";
import { fill, words } from "./words.js";

const MARKS = ["best", "worst"];

export function startChoices(root) {
  const form = root.querySelector("form[data-choice]");
  if (form && !form.choice) form.choice = new Choice(form);
}

class Choice {
  constructor(form) {
    this.form = form;
    const { noun, best, worst } = form.querySelector(".tuple").dataset;
    this.names = { best, worst };
    this.words = words.choosing[noun];
    this.options = [...form.querySelectorAll(".option")];
    this.options.forEach(makeButton);
    form.noValidate = true; // what is missing is said in our own words
    this.listen();
    this.refresh();
  }

  listen() {
    this.form.addEventListener("click", (event) => {
      const option = event.target.closest(".option");
      if (!option) return;
      if (event.target.closest(".marks")) this.takeBack(event.target, option);
      else if (this.meant(event, option)) this.take(option);
      this.pressed = option;
    });
    this.form.addEventListener("change", ({ target }) => {
      if (target.closest(".marks")) this.put(target.closest(".option"), target.name);
    });
  }

  optionOf(mark) {
    return this.form.querySelector(`input[name="${mark}"]:checked`)?.closest(".option") ?? null;
  }

  /** Which mark is to be set next: best, worst, or none as both are. */
  get next() {
    return MARKS.find((mark) => !this.optionOf(mark));
  }

  get complete() {
    return this.next === undefined;
  }

  /** The next mark for the card, or off with the one that it has. */
  take(option) {
    if (option.dataset.mark) this.clear(option.dataset.mark);
    else if (this.next) this.put(option, this.next);
    else this.say(this.words.full);
  }

  /** A radio button that is on goes off when it is pressed once more. */
  takeBack(input, option) {
    if (input.matches("input") && option.dataset.mark === input.name) this.clear(input.name);
  }

  put(option, mark) {
    MARKS.forEach((each) => { option.querySelector(`input[name="${each}"]`).checked = each === mark; });
    this.changed();
  }

  /** As `put`, but off where it is so already. */
  toggle(option, mark) {
    if (option.dataset.mark === mark) this.clear(mark);
    else this.put(option, mark);
  }

  clear(...marks) {
    for (const mark of marks) this.optionOf(mark)?.querySelectorAll("input").forEach((input) => { input.checked = false; });
    this.changed();
  }

  changed() {
    this.refresh();
    this.form.dispatchEvent(new CustomEvent("choice:change"));
  }

  refresh() {
    for (const option of this.options) showMark(option, MARKS.find((mark) => this.optionOf(mark) === option));
    this.say(stateInWords(this.words, this.names, ...MARKS.map((mark) => this.optionOf(mark)?.dataset.index)));
    this.form.querySelector("[data-choice-state]")?.toggleAttribute("data-complete", this.complete);
  }

  say(text) {
    const line = this.form.querySelector("[data-choice-state]");
    if (line && line.textContent !== text) line.textContent = text;
  }

  /** What keeps the form from being sent, and what to go to for it. */
  missing() {
    if (this.complete) return undefined;
    const text = fill(this.words.missing, { mark: this.names[this.next] });
    return { text, go: () => this.options.find((option) => !option.dataset.mark).querySelector(".texts").focus() };
  }

  /**
   * A click that is the second half of a double click, or that ends the marking of words, chooses nothing. Browsers
   * count clicks by place and time: after quick scrolling the same place is another card, and that click is meant.
   */
  meant(event, option) {
    const single = event.detail < 2 || (this.pressed && this.pressed !== option);
    const marked = getSelection();
    return single && (marked.isCollapsed || !option.contains(marked.anchorNode));
  }
}
