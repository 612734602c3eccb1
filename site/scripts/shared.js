// What the calculator and the parts that come to it later use together. Whoever imports one of these in a part that is
// loaded on use imports this file too: then they make one file of the bundle, not one for each set of users.
import "./calculator.js";
import "./config.js";
import "./copy.js";
import "./engine.js";
import "./link.js";
import "./lists.js";
import "./morph.js";
import "./problems.js";
import "./question.js";
import "./tabs.js";
