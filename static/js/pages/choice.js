// Screens that ask for the best and the worst of a tuple.
import { startAnswers } from "../answer.js";
import { startChoices } from "../choice.js";
import { startChoiceKeys } from "../choice_keys.js";
import { startShortcuts } from "../shortcuts.js";
import { startPage } from "../start.js";

startChoiceKeys();
startShortcuts();
startPage([startChoices, startAnswers]); // a form is locked when it is complete
