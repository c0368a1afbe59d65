// A reader of docs/protocol.md and docs/fairness.md in another language: nothing here comes from the code of the server.
//
//   node --experimental-websocket other_language.mjs    a line of JSON in, [question, arguments]; a line with the answer out
//
// Needs nothing but Node. test_other_language.py asks, and compares the answers with what the code says.

import { createHash, createHmac, createPrivateKey, createPublicKey, pbkdf2Sync, randomBytes, sign } from "node:crypto";
import { createInterface } from "node:readline";

// Bytes

const hex = (text) => Buffer.from(text, "hex");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

function list(...values) {
  const parts = values.map((value) => (typeof value === "string" ? Buffer.from(value) : value));
  const length = (part) => Buffer.from([part.length >>> 24, part.length >>> 16, part.length >>> 8, part.length]);
  return Buffer.concat(parts.flatMap((part) => [length(part), part]));
}

// Who one is

function keyPair(secret) {
  const privateKey = createPrivateKey({
    key: Buffer.concat([hex("302e020100300506032b657004220420"), hex(secret)]), format: "der", type: "pkcs8",
  });
  return { privateKey, key: createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32) };
}

function hello(secret, challenge, host, name) {
  const { privateKey, key } = keyPair(secret);
  const signed = list("tommy-race hello", hex(challenge), host);
  return { type: "hello", name, key: key.toString("hex"), host, signature: sign(null, signed, privateKey).toString("hex") };
}

const playerOf = (key) => sha256(Buffer.concat([Buffer.from("tommy-race player"), hex(key)]));

function hostOf(url) {
  let host = new URL(url).hostname.toLowerCase().replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host);
  if (mapped) {
    const [high, low] = mapped.slice(1).map((part) => parseInt(part, 16));
    host = [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return host;
}

// The deal

const RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split(" ");
const SUITS = ["c", "d", "h", "s"];
const DECK = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
const rankOf = (card) => RANKS.indexOf(card.slice(0, -1)) + 1;
const suitOf = (card) => card.at(-1);
const isRed = (card) => "dh".includes(suitOf(card));

const upTo = (rank) => RANKS.slice(0, rank);
const GAMES = {
  "sir-tommy": { sequences: Array(4).fill(upTo(13)) },
  strategy: { sequences: Array(4).fill(upTo(13)), pileToPile: true },
  numerica: { sequences: Array(4).fill(upTo(13)), leftmost: true },
  calculation: {
    sequences: ["A 2 3 4 5 6 7 8 9 10 J Q K", "2 4 6 8 10 Q A 3 5 7 9 J K", "3 6 9 Q 2 5 8 J A 4 7 10 K",
      "4 8 Q 3 7 J 2 6 10 A 5 9 K"].map((sequence) => sequence.split(" ")),
    starters: true,
  },
  "puss-in-the-corner": { sequences: Array(4).fill(upTo(12)), starters: true },
  "forty-thieves": { columns: 10, rows: 4 },
  lucas: { columns: 13, rows: 3, aces: true },
  limited: { columns: 12, rows: 3 },
  maria: { columns: 9, rows: 4, alternating: true },
  josephine: { columns: 10, rows: 4, whole: true },
};

function rulesOf(game) {
  const [name, ...options] = game.split("+");
  return { ...GAMES[name], name, redeal: options.includes("redeal"), groups: options.includes("groups") };
}

function cardsOf(rules) {
  if (rules.columns) return [...DECK, ...DECK];
  return rules.name === "puss-in-the-corner" ? DECK.filter((card) => rankOf(card) < 13) : DECK;
}

const commitment = (secret, match, game) => sha256(list("tommy-race commitment", hex(secret), match, game, "1"));
const nonceCommitment = (nonce, match, seat) => sha256(list("tommy-race nonce", hex(nonce), match, String(seat)));

function dealKey(secret, nonces, match) {
  return createHmac("sha256", hex(secret)).update(list("tommy-race deal", ...nonces.map(hex), match)).digest();
}

function shuffled(cards, key, label) {
  const stream = createHash("shake256", { outputLength: 64 * cards.length }).update(list(key, label)).digest();
  const order = [...cards];
  let at = 0;
  for (let place = order.length; place >= 2; place--) {
    const fair = 2 ** 32 - (2 ** 32 % place);
    let number;
    do number = stream.readUInt32BE(4 * at++); while (number >= fair);
    const other = (number % place) + 1;
    [order[place - 1], order[other - 1]] = [order[other - 1], order[place - 1]];
  }
  return order;
}

function deal(game, secret, nonces, match) {
  const key = dealKey(secret, nonces, match);
  const cards = cardsOf(rulesOf(game));
  return { key: key.toString("hex"), first: shuffled(cards, key, "first"), second: shuffled(cards, key, "second") };
}

// Boards. A card in the stock is [place, card]; one that is not known yet is null.

class Fault {
  constructor(code) {
    this.code = code;
  }
}

const need = (holds, code) => {
  if (!holds) throw new Fault(code);
};

class Board {
  constructor(game, dealt) {
    Object.assign(this, { game, rules: rulesOf(game), dealt, stock: [], place: 0, ended: null, hand: null, redeals: 0 });
    this.lay(dealt.first.map((card, at) => [at + 1, card]));
  }

  get count() {
    return this.foundations.reduce((sum, cards) => sum + cards.length, 0);
  }

  get status() {
    if (this.ended) return this.ended;
    if (this.count === this.total) return "solved";
    return this.isStuck() ? "stuck" : "playing";
  }

  enter(entry) {
    need(this.status === "playing", "board-finished");
    return this.retrace(entry);
  }

  /** An entry that is known to have come on this board. */
  retrace(entry) {
    const ending = { stand: "stood", resign: "resigned", timeout: "timed-out", abandon: "abandoned" }[entry];
    if (ending) this.ended = ending;
    return ending ? null : this.move(entry);
  }

  turn() {
    need(this.stock.length, "stock-empty");
    const [place, card] = this.stock.shift();
    this.place = place;
    return card;
  }
}

class SirTommy extends Board {
  lay(deck) {
    const { sequences, starters, redeal } = this.rules;
    this.piles = [[], [], [], []];
    this.foundations = sequences.map(() => []);
    this.total = sequences.flat().length;
    this.redeals = redeal ? 1 : 0;
    for (const [place, card] of deck) {
      const start = sequences.findIndex((ranks, at) => !this.foundations[at].length && ranks[0] === card?.slice(0, -1));
      if (starters && start >= 0) this.foundations[start].push(card);
      else this.stock.push([place, card]);
    }
  }

  fitting(card) {
    const fits = this.rules.sequences.flatMap((ranks, at) =>
      ranks[this.foundations[at].length] === card.slice(0, -1) ? [at + 1] : []);
    return this.rules.leftmost ? fits.slice(0, 1) : fits;
  }

  has(text) {
    if (text === "t" || text === "r") return text === "t" || this.rules.redeal;
    return /^(h[pf]|p\df)/.test(text) || (/^p\dp/.test(text) && Boolean(this.rules.pileToPile));
  }

  move(text) {
    need(this.has(text), "not-in-this-game");
    const [, from, to] = /^(h|p\d)([pf]\d)$/.exec(text) ?? [];
    need(!(from === "h") || this.hand, "no-card-in-hand");
    need(from === "h" || !this.hand, "card-in-hand");
    if (text === "t") return (this.hand = this.turn());
    if (text === "r") return this.redeal();
    const source = from === "h" ? [this.hand] : this.piles[from[1] - 1];
    need(source, "no-such-place");
    need(source.length, "pile-empty");
    need(from !== to, "same-place");
    const target = (to[0] === "f" ? this.foundations : this.piles)[to[1] - 1];
    need(target, "no-such-place");
    need(to[0] === "p" || this.fitting(source.at(-1)).includes(Number(to[1])), "does-not-fit");
    target.push(source.pop());
    if (from === "h") this.hand = null;
    return null;
  }

  redeal() {
    need(!this.stock.length, "stock-not-empty");
    need(this.redeals, "no-redeal-left");
    const gathered = new Set(this.piles.flat());
    const { first, second } = this.dealt;
    this.stock = second.map((card, at) => [first.length + at + 1, card]).filter(([, card]) => gathered.has(card));
    if (!second.length) this.stock = [...gathered].map(() => [0, null]);
    this.piles = [[], [], [], []];
    this.redeals -= 1;
    return null;
  }

  isStuck() {
    if (this.hand || this.stock.length || this.redeals || this.rules.pileToPile) return false;
    return !this.piles.some((cards) => cards.length && this.fitting(cards.at(-1)).length);
  }

  get passed() {
    if (this.status !== "playing") return Infinity;
    const none = !this.hand && !this.stock.length;
    if (none && !this.redeals) return Infinity;
    const redealt = this.rules.redeal && !this.redeals;
    return Math.max(none || redealt ? this.dealt.first.length : -1, this.place - 1);
  }

  view() {
    const { hand, piles, foundations, redeals } = this;
    return { family: "sir-tommy", stock: this.stock.length, hand, piles, foundations, redeals };
  }

  show({ stock, hand, piles, foundations, redeals }) {
    Object.assign(this, { hand, piles, foundations, redeals, stock: Array.from({ length: stock }, () => [0, null]) });
  }
}

const HOME = { c: [1, 2], d: [3, 4], h: [5, 6], s: [7, 8] };
const MOST_POSITIONS = 20_000;

class FortyThieves extends Board {
  lay(deck) {
    const { columns, rows, aces } = this.rules;
    this.columns = Array.from({ length: columns }, () => []);
    this.foundations = Array.from({ length: 8 }, () => []);
    this.waste = [];
    this.total = 104;
    let dealt = 0;
    for (const [place, card] of deck) {
      if (aces && card?.startsWith("A")) this.foundations[this.fitting(card)[0] - 1].push(card);
      else if (dealt < columns * rows) this.columns[dealt++ % columns].push(card);
      else this.stock.push([place, card]);
    }
  }

  fitting(card) {
    return HOME[suitOf(card)].filter((number) => this.foundations[number - 1].length + 1 === rankOf(card));
  }

  builds(card, on) {
    if (rankOf(card) + 1 !== rankOf(on)) return false;
    return this.rules.alternating ? isRed(card) !== isRed(on) : suitOf(card) === suitOf(on);
  }

  has(text) {
    return text === "t" || /^(w|c\d+)[cf]/.test(text);
  }

  move(text) {
    need(this.has(text), "not-in-this-game");
    if (text === "t") {
      const card = this.turn();
      this.waste.push(card);
      return card;
    }
    const [, from, to, size] = /^(w|c\d+)([cf]\d+)(?:x(\d+))?$/.exec(text);
    const source = from === "w" ? this.waste : this.columns[from.slice(1) - 1];
    const target = (to[0] === "f" ? this.foundations : this.columns)[to.slice(1) - 1];
    const cards = Number(size ?? 1);
    need(source && target, "no-such-place");
    need(source.length, "pile-empty");
    if (to[0] === "f") {
      need(this.fitting(source.at(-1)).includes(Number(to.slice(1))), "does-not-fit");
    } else {
      need(source !== target, "same-place");
      const moved = source.slice(-cards);
      need(moved.length === cards, "not-a-sequence");
      need(moved.every((card, at) => !at || this.builds(card, moved[at - 1])), "not-a-sequence");
      need(!target.length || this.builds(moved[0], target.at(-1)), "does-not-build");
      need(cards <= this.atOnce(!target.length), "too-many-cards");
    }
    target.push(...source.splice(-cards));
    return null;
  }

  atOnce(toEmpty) {
    if (this.rules.whole) return Infinity;
    const empty = this.columns.filter((cards) => !cards.length).length;
    return this.rules.groups ? 2 ** (toEmpty ? empty - 1 : empty) : 1;
  }

  isStuck(most = MOST_POSITIONS) {
    if (this.stock.length) return false;
    const waste = this.waste;
    const wanted = (card) => card && this.fitting(card).length > 0;
    const packed = (columns, left) => `${left}|${columns.map((cards) => cards.join()).sort().join("|")}`;
    const isUp = (columns, left) => [...columns.map((cards) => cards.at(-1)), waste[left - 1]].some(wanted);
    const start = this.columns.filter((cards) => cards.length);
    if (isUp(start, waste.length)) return false;
    const seen = new Set([packed(start, waste.length)]);
    const open = [[start, waste.length]];
    for (const [columns, left] of open) {
      for (const [others, fewer] of this.reached(columns, left)) {
        const name = packed(others, fewer);
        if (seen.has(name)) continue;
        if (isUp(others, fewer) || seen.size === most) return false;
        seen.add(name);
        open.push([others, fewer]);
      }
    }
    return true;
  }

  *reached(columns, left) {
    const isFree = columns.length < this.rules.columns;
    const top = left ? [[null, [this.waste[left - 1]]]] : [];
    for (const [source, moved] of [...top, ...columns.flatMap((cards, at) => this.movable(cards).map((m) => [at, m]))]) {
      const fewer = source === null ? left - 1 : left;
      const without = columns.map((cards, at) => (at === source ? cards.slice(0, -moved.length) : cards));
      for (const [at, cards] of columns.entries()) {
        if (at !== source && this.builds(moved[0], cards.at(-1))) {
          const others = without.map((each, number) => (number === at ? [...each, ...moved] : each));
          yield [others.filter((each) => each.length), fewer];
        }
      }
      if (isFree) yield [[...without, moved].filter((each) => each.length), fewer];
    }
  }

  movable(cards) {
    const sizes = [1];
    while (this.rules.whole && sizes.length < cards.length && this.builds(cards.at(-sizes.length), cards.at(-sizes.length - 1))) {
      sizes.push(sizes.length + 1);
    }
    return sizes.map((size) => cards.slice(-size));
  }

  get passed() {
    return this.status !== "playing" || !this.stock.length ? Infinity : this.place - 1;
  }

  view() {
    const { waste, columns, foundations } = this;
    return { family: "forty-thieves", stock: this.stock.length, waste, columns, foundations };
  }

  show({ stock, waste, columns, foundations }) {
    Object.assign(this, { waste, columns, foundations, stock: Array.from({ length: stock }, () => [0, null]) });
  }
}

const boardOf = (game, dealt) => new (rulesOf(game).columns ? FortyThieves : SirTommy)(game, dealt);

function notation() {
  const places = (letter, most) => Array.from({ length: most }, (_, at) => letter + (at + 1));
  const [piles, columns, foundations] = [places("p", 5), places("c", 13), places("f", 9)];
  const pairs = (from, to) => from.flatMap((source) => to.map((target) => source + target));
  const groups = pairs(columns, columns).flatMap((text) => Array.from({ length: 12 }, (_, at) => `${text}x${at + 2}`));
  return ["t", "r", ...pairs(["h", ...piles], [...piles, ...foundations]), ...pairs(["w", ...columns], [...columns, ...foundations]),
    ...groups];
}

const NOTATION = notation();

/** What each move would come to: nothing where it is legal, else the code of the refusal. */
function verdicts(board) {
  if (board.status !== "playing") return NOTATION.map((move) => (board.has(move) ? "board-finished" : "not-in-this-game"));
  const [text, stock, place] = [JSON.stringify(board.view()), [...board.stock], board.place];
  return NOTATION.map((move) => {
    try {
      board.move(move);
    } catch (error) {
      if (error instanceof Fault) return error.code; // and nothing has changed
      throw error;
    }
    board.show(JSON.parse(text));
    Object.assign(board, { stock: [...stock], place });
    return null;
  });
}

// A record

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

function digestOf({ digest, ...rest }) {
  return sha256(Buffer.from(canonical(rest)));
}

function proofOf(digest) {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  let number = BigInt(`0x${pbkdf2Sync(hex(digest), "tommy-race proof", 16_384, 16, "sha256").toString("hex")}`);
  let proof = "";
  for (let at = 0; at < 12; at++) {
    proof += (at && at % 4 === 0 ? " " : "") + letters[number % 31n];
    number /= 31n;
  }
  return proof;
}

/** Who has won a match that has ended, by how its boards stand. */
function decide(boards) {
  const key = ({ status, count, at }) => ({ solved: [0, at], resigned: [2, -at] })[status] ?? [1, -count];
  const keys = boards.map(key);
  const isBefore = ([rank, value], [otherRank, other]) => rank < otherRank || (rank === otherRank && value < other);
  const places = keys.map((own) => 1 + keys.filter((other) => isBefore(other, own)).length);
  if (places.filter((place) => place === 1).length > 1) return { winner: null, reason: "draw", places };
  const winner = places.indexOf(1);
  const { status, at } = boards[winner];
  const others = boards.filter((_, seat) => seat !== winner);
  const haveResigned = others.length > 0 && others.every((board) => board.status === "resigned");
  const before = haveResigned && (status !== "solved" || others.every((board) => board.at < at));
  return { winner, reason: before ? "resigned" : status === "solved" ? "solved" : "count", places };
}

/** Everything that a record says, worked out anew from its secrets and its entries. */
function check(record) {
  const { game, match, secret, seats } = record;
  const nonces = record.fixed_by === "server" ? [] : seats.map((seat) => seat.nonce);
  const dealt = deal(game, secret, nonces, match);
  const boards = seats.map(({ entries }) => {
    const board = boardOf(game, dealt);
    const told = entries.map(([, entry]) => {
      const card = board.retrace(entry);
      return [card, board.count, board.place];
    });
    return { status: board.status, count: board.count, at: entries.at(-1)?.[0] ?? 0, told };
  });
  return {
    commitment: commitment(secret, match, game),
    nonce_commitments: nonces.map((nonce, seat) => nonceCommitment(nonce, match, seat)),
    deck: dealt.first, second: dealt.second, boards, result: decide(boards), digest: digestOf(record),
  };
}

/** Where a board stood after each of its entries, and now and then what it had passed and what it allowed. */
function walk({ game, deck, second, entries, every }) {
  const board = boardOf(game, { first: deck, second });
  return entries.map((entry, at) => {
    board.retrace(entry);
    if (at % every) return { place: board.place };
    const { place, passed, status } = board;
    return { place, passed: passed === Infinity ? null : passed, status, verdicts: verdicts(board) };
  });
}

function stuck({ game, columns, waste, foundations, most }) {
  const board = boardOf(game, { first: [], second: [] });
  board.show({ stock: 0, columns, waste, foundations });
  return board.isStuck(most);
}

// A client

class Client {
  constructor(url, name) {
    Object.assign(this, { url, name, heard: [], waiting: [], shown: [], n: 0 });
    this.secret = randomBytes(32).toString("hex");
    this.socket = new WebSocket(url, ["tommy.2.json"]);
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    this.socket.onclose = ({ code }) => this.take({ type: "closed", code });
    this.socket.onerror = () => {};
  }

  take(message) {
    this.heard.push(message);
    if (message.type === "match") this.keep(message);
    if (message.type === "moved" && message.seat === this.seat && message.n === this.n + 1) this.follow(message);
    this.waiting = this.waiting.filter(({ which, done }) => !(which(message) && (done(message), true)));
  }

  keep(state) {
    const { seats, commitment: bound } = state;
    Object.assign(this, { match: state.match, seat: state.you, game: state.game, state: state.state });
    if (this.seat === undefined) return;
    if (state.state === "revealing" && !this.kept) {
      const theirs = seats[1 - this.seat].nonce_commitment;
      const own = seats[this.seat].nonce_commitment;
      if (!theirs || theirs === own || own !== nonceCommitment(this.nonce, this.match, this.seat)) throw new Error("no reveal");
      this.kept = { bound, theirs };
      this.say({ type: "reveal", match: this.match, nonce: this.nonce });
    } else if (this.kept && (bound !== this.kept.bound || seats[1 - this.seat].nonce_commitment !== this.kept.theirs)) {
      throw new Error("another commitment than before");
    }
  }

  /** An entry of the own board: it has to come to what the server says that it came to. */
  follow({ move, n, card, peek, status, count }) {
    if (card) this.board.stock[0] = [this.board.stock[0][0], card];
    if (card) this.shown.push(card);
    this.board.retrace(move);
    this.n = n;
    this.next = peek;
    if (status !== this.board.status || count !== this.board.count) {
      throw new Error(`after entry ${n} the board is ${this.board.status} at ${this.board.count}, not ${status} at ${count}`);
    }
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  until(which) {
    return new Promise((done) => this.waiting.push({ which, done }));
  }

  async ask(message) {
    const id = (this.asked = (this.asked ?? 0) + 1);
    const answer = this.until((heard) => heard.re === id || heard.type === "closed");
    this.say({ ...message, id });
    return await answer;
  }

  async come() {
    const { challenge } = this.heard[0] ?? (await this.until((message) => message.type === "greeting"));
    this.welcome = await this.ask(hello(this.secret, challenge, hostOf(this.url), this.name));
  }

  async ready() {
    this.nonce = randomBytes(16).toString("hex");
    const bound = nonceCommitment(this.nonce, this.match, this.seat);
    return await this.ask({ type: "ready", match: this.match, commitment: bound });
  }

  /** So many moves, as far as the board takes any and the match is not over. */
  async play(most) {
    for (let step = 0; step < most && this.board.status === "playing" && this.state !== "over"; step++) {
      const codes = verdicts(this.board);
      const legal = NOTATION.filter((_, at) => codes[at] === null);
      const up = legal.find((move) => move.includes("f"));
      await this.make(up ?? ["t", "r"].find((move) => legal.includes(move)) ?? legal[this.n % legal.length]);
    }
  }

  /** A move. The rival may just have ended the match; of that, too, the news comes before the answer. */
  async make(move) {
    const { type, code } = await this.ask({ type: "move", match: this.match, n: this.n + 1, move });
    if (type !== "moved" && !(code === "match-over" && this.state === "over")) throw new Error(`${move}: ${type} ${code}`);
  }
}

/** In which order a spectator is shown the entries of a match, which were made by these seats one after another. */
function sight({ game, deck, second, seats }, order) {
  const boards = seats.map(() => boardOf(game, { first: deck, second }));
  const places = seats.map(() => []);
  const shown = seats.map(() => 0);
  const told = [];
  const show = (passed) => {
    for (const seat of [0, 1]) {
      while (shown[seat] < places[seat].length && places[seat][shown[seat]] <= passed(1 - seat)) told.push([seat, ++shown[seat]]);
    }
  };
  for (const seat of order) {
    boards[seat].retrace(seats[seat].entries[places[seat].length][1]);
    places[seat].push(boards[seat].place);
    show((other) => boards[other].passed);
  }
  show(() => Infinity);
  return told;
}

/** Two players race on the server at a URL, and somebody watches; what they found in the end. */
async function race({ url, game, most }) {
  const [ada, bob, eve] = ["Ada", "Bob", "Eve"].map((name) => new Client(url, name));
  for (const client of [ada, bob, eve]) await client.come();
  await ada.ask({ type: "create", game });
  await bob.ask({ type: "join", match: ada.match });
  await eve.ask({ type: "watch", match: ada.match });
  const laid = [ada, bob].map((player) =>
    player.until((message) => message.type === "board" && message.seat === player.seat).then(({ view }) => {
      player.board = boardOf(player.game, { first: [], second: [] });
      player.board.show(view);
      player.open = [...(view.columns ?? []), ...view.foundations];
    }));
  for (const player of [ada, bob]) await player.ready();
  await Promise.all(laid);
  const ends = [ada, bob, eve].map((client) => client.until(({ type, state }) => type === "match" && state === "over"));
  const order = [];
  const plays = async (player, doing) => {
    const before = player.n;
    await doing();
    order.push(...Array(player.n - before).fill(player.seat));
  };
  for (let made = 0; made < most; made += 5) {
    for (const [player, slower] of [[ada, 0], [bob, 2]]) await plays(player, () => player.play(5 - slower));
  }
  for (const player of [ada, bob]) {
    if (player.board.status === "playing" && player.state !== "over") await plays(player, () => player.make("stand"));
  }
  await ends[2];
  const watched = eve.heard.filter(({ type }) => type === "moved").map(({ seat, n }) => [seat, n]);
  const found = [];
  for (const [player, rival] of [[ada, bob], [bob, ada]]) {
    const end = await ends[player.seat];
    const { record } = await player.ask({ type: "record", match: player.match });
    const again = check(record);
    const seen = again.boards[player.seat].told.map(([card]) => card).filter(Boolean);
    found.push({
      tag: player.welcome.tag === playerOf(hello(player.secret, "00".repeat(32), "x", "x").key).slice(0, 4),
      commitments: again.commitment === player.kept.bound && again.nonce_commitments[rival.seat] === player.kept.theirs,
      cards: JSON.stringify(seen) === JSON.stringify(player.shown),
      sight: JSON.stringify(sight(record, order)) === JSON.stringify(watched),
      digest: again.digest === end.digest && record.digest === end.digest,
      boards: again.boards.map(({ status, count }) => [status, count]),
      result: canonical(again.result) === canonical(end.result), proof: proofOf(end.digest), record,
    });
    player.socket.close();
  }
  eve.socket.close();
  return found;
}

// Questions

const ANSWERS = {
  list: (values) => list(...values.map((value) => (typeof value === "string" ? value : hex(value.hex)))).toString("hex"),
  hello: ([secret, challenge, host]) => {
    const said = hello(secret, challenge, host, "Zoë");
    return { ...said, player: playerOf(said.key) };
  },
  hosts: (urls) => urls.map(hostOf),
  deal: ([game, secret, nonces, match]) => {
    const dealt = deal(game, secret, nonces, match);
    const board = boardOf(game, dealt);
    return { ...dealt, commitment: commitment(secret, match, game), stock: board.stock, view: board.view() };
  },
  digest: digestOf, proofs: (digests) => digests.map(proofOf), notation: () => NOTATION, check, walk, stuck, race,
  patterns: (texts) => texts.map((text) => new RegExp(text, "u").unicode),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [question, asked] = JSON.parse(line);
  console.log(JSON.stringify(await ANSWERS[question](asked)));
}
