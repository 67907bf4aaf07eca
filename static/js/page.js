// The form of the present screen, and its scales.
export const answerForm = () => document.querySelector("form[data-answer]");
export const slidersOf = (form) => [...form.querySelectorAll("fieldset[data-scale]")].flatMap((each) => each.slider ?? []);
