// Screens that ask for a rating.
import { startAnswers } from "../answer.js";
import { startShortcuts } from "../shortcuts.js";
import { startSliders } from "../slider.js";
import { startPage } from "../start.js";

startShortcuts();
startPage([startSliders, startAnswers]); // a form is locked when it is complete
