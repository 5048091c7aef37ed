// A bot to start from, in JavaScript (Node), without any package.
//
//     cabochon check-engine "node examples/starter_bot.js"
//     cabochon play --bot-command "node examples/starter_bot.js"
//
// Messages come and go as JSON, one on each line. `position` brings what this seat may know and its
// legal moves; `go` asks for one of them. Change `choose`, and you have a bot of your own.

const readline = require("node:readline");

// The dearest card it can buy; else the most tokens; else whatever comes first.
function choose(view, legal, go) {
  const buys = legal.filter((move) => move.startsWith("buy "));
  if (buys.length > 0) {
    return buys.reduce((best, move) => (move.split(" ")[1] > best.split(" ")[1] ? move : best));
  }
  const takes = legal.filter((move) => move.startsWith("take "));
  if (takes.length > 0) {
    return takes.reduce((best, move) => (move.length > best.length ? move : best));
  }
  return legal[0];
}

function say(message) {
  process.stdout.write(JSON.stringify(message) + "\n");
}

let view = null;
let legal = [];

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "id", name: "starter", options: [] });
  } else if (message.type === "position") {
    view = message.view;
    legal = message.legal;
  } else if (message.type === "go") {
    say({ type: "bestmove", move: choose(view, legal, message) });
  } else if (message.type === "quit") {
    process.exit(0);
  }
});
