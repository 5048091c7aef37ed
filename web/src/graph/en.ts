/** Words of the graph of win chances, which results and the studio share. */

const en = {
  pickTurn: 'Turn',
  turnValue: (turn: number, of: number, chances: string) => `Turn ${turn} of ${of}: ${chances}`,
  atStart: (chances: string) => `Start: ${chances}`,
  chanceOf: (name: string, n: number) => `${name} ${n}%`,
  markAt: (turn: number, verdict: string) => `Turn ${turn}: ${verdict}`,
};

export default en;
