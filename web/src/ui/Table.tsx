import { t, word } from "../i18n";
import { COLUMNS, decides, type Face, isClassic, ROWS, side } from "../model";
import {
  choose,
  consider,
  doc,
  edit,
  legal,
  pane,
  selected,
  tab,
  table,
  verdicts,
  verdictsOf,
} from "../store/desk";
import { moveCard, setPlayer } from "../store/edits";
import { Arrows } from "./Arrows";
import { CardView } from "./CardView";
import { drop } from "./drag";
import { Icon } from "./icons";
import { actionName, cardName } from "./names";

/** Faults of the position are told wherever the reader is; the panel of verdicts lists them. */
function Faults() {
  const { state, problem } = legal.value;
  if (state !== "failed" || problem === undefined || problem.code !== "bad_input") return null;
  return (
    <button
      type="button"
      class="trouble faults"
      onClick={() => {
        tab.value = "verdicts";
        pane.value = "judge";
      }}
    >
      <Icon name="no" /> {t("faults_n", { n: problem.faults.length })}
    </button>
  );
}

export function Table() {
  const { players } = doc.value;
  const [near, far] = Object.keys(players) as [string, string];
  return (
    <main
      class={isClassic(doc.value) ? "table classic" : "table"}
      id="table"
      tabIndex={-1}
      aria-label={t("pane_table")}
      onClick={(event) => {
        if (event.target === event.currentTarget) choose(null);
      }}
    >
      <Arrows />
      <Faults />
      {isClassic(doc.value) ? (
        <>
          <Rim player={far} />
          <Beside player={far} />
          <Board />
          <Middle />
          <Beside player={near} />
          <Rim player={near} />
        </>
      ) : (
        <>
          <Side player={far} above />
          <Middle />
          <Side player={near} above={false} />
        </>
      )}
    </main>
  );
}

/** What is going on: the turn, who decides, an announced attack. */
function Middle() {
  const { turn = 1, active, pending, result, phase } = doc.value;
  const who = decides(doc.value);
  // what is declared without a card: to let an attack through, to end the turn
  const quick = verdicts.value.filter((verdict) => verdict.legal && !verdict.action.includes("("));
  return (
    <div class="middle">
      <p>
        <span class="turn-number">{t("turn_n", { n: turn })}</span>
        <span>{t("phase_n", { phase: word(phase ?? (isClassic(doc.value) ? "choice" : "main")) })}</span>
        <span>{t("their_turn", { player: active })}</span>
      </p>
      {pending && (
        <p class="pending">
          <Icon name="sword" />
          {pending.defender
            ? t("attack_defended", {
                attacker: cardName(pending.attacker),
                defender: cardName(pending.defender),
              })
            : t("attack_pending", { attacker: cardName(pending.attacker), target: cardName(pending.target) })}
        </p>
      )}
      <p class="decides">
        {result
          ? result === "draw"
            ? t("over_draw")
            : t("over_won", { player: result })
          : t("decides", { player: who ?? "" })}
      </p>
      {quick.map((verdict) => (
        <button type="button" class="plain" key={verdict.action} onClick={() => consider(verdict.action)}>
          {actionName(verdict.action)}
        </button>
      ))}
    </div>
  );
}

function Side({ player, above }: { player: string; above: boolean }) {
  const cards = table.value.filter((item) => item.zone === "play" && side(item) === player);
  const back = [
    ...cards.filter((item) => item.type === "hero"),
    ...cards.filter((item) => item.type !== "hero" && item.type !== "creature"),
  ];
  const front = cards.filter((item) => item.type === "creature");
  return (
    <section class={above ? "side above" : "side below"} aria-label={t("side_of", { player })}>
      {above && <Rim player={player} />}
      <div class="rows">
        <Row name={t("back_row")} cards={back} player={player} />
        <Row name={t("creatures")} cards={front} player={player} />
      </div>
      {!above && <Rim player={player} />}
    </section>
  );
}

/** More cards than this in a row lie there small. */
const CROWD = 10;

function Row({ name, cards, player }: { name: string; cards: readonly Face[]; player: string }) {
  return (
    <div class="row" role="group" aria-label={name} {...drop({ player, zone: "play" })}>
      {cards.map((item) => (
        <CardView item={item} small={cards.length > CROWD} key={item.id} />
      ))}
      {cards.length === 0 && <p class="vacant">{name}</p>}
      <MoveHere player={player} zone="play" />
    </div>
  );
}

/** A player’s coins and the zones off the table. */
function Rim({ player }: { player: string }) {
  const values = doc.value.players[player] ?? {};
  const deciding = decides(doc.value) === player;
  return (
    <div class={deciding ? "rim deciding" : "rim"}>
      <div class="who">
        <h2>{player}</h2>
        {!isClassic(doc.value) && <Coins player={player} />}
        {values.missed ? <span class="quiet">{t("missed_n", { n: values.missed })}</span> : null}
      </div>
      <Pile player={player} zone="hand" />
      <div class="piles">
        {(["deck", "graveyard", "reserve"] as const).map((zone) => (
          <Pile key={zone} player={player} zone={zone} />
        ))}
      </div>
    </div>
  );
}

function Coins({ player }: { player: string }) {
  const { coins = 0, coins_total = coins } = doc.value.players[player] ?? {};
  const all = Math.max(coins, coins_total);
  const set = (number: number) =>
    edit(setPlayer(doc.value, player, { coins: number, coins_total: Math.max(all, number) }), "did_player");
  return (
    <div class="coins" role="group" aria-label={t("coins_n", { n: coins, all })}>
      <button
        type="button"
        class="tiny"
        aria-label={t("coins_spend")}
        disabled={coins === 0}
        onClick={() => set(coins - 1)}
      >
        <Icon name="minus" />
      </button>
      <span class="purse" aria-hidden="true">
        {all <= 12 ? (
          Array.from({ length: all }, (_, at) => <i class={at < coins ? "coin" : "coin closed"} key={at} />)
        ) : (
          <i class="coin" />
        )}
        <b>
          {coins}/{all}
        </b>
      </span>
      <button type="button" class="tiny" aria-label={t("coins_gain")} onClick={() => set(coins + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  );
}

type PileZone = "hand" | "deck" | "graveyard" | "reserve";

function Pile({ player, zone }: { player: string; zone: PileZone }) {
  const cards = table.value.filter((item) => item.zone === zone && item.owner === player);
  const shuffled = zone === "deck" && doc.value.players[player]?.deck_order === "unknown";
  if (cards.length === 0 && (zone === "reserve" || (isClassic(doc.value) && zone !== "graveyard")))
    return null;
  const head = (
    <>
      {t(zone)} <b>{cards.length}</b>
      {shuffled && <span class="quiet"> · {t("deck_shuffled")}</span>}
    </>
  );
  if (zone === "hand")
    return (
      <div class="pile hand" role="group" aria-label={t("hand")} {...drop({ player, zone })}>
        <p class="pile-name">{head}</p>
        <div class="fan">
          {cards.map((item) => (
            <CardView item={item} small key={item.id} />
          ))}
        </div>
        <MoveHere player={player} zone={zone} />
      </div>
    );
  return (
    <details class={`pile ${zone}`} {...drop({ player, zone })}>
      <summary class="pile-name">{head}</summary>
      <div class="fan">
        {cards.map((item) => (
          <CardView item={item} small key={item.id} />
        ))}
        {cards.length === 0 && <p class="quiet">{t("nothing_here")}</p>}
      </div>
      <MoveHere player={player} zone={zone} />
    </details>
  );
}

/** While a card is being laid out, every zone offers itself: for a tap or a key instead of dragging. */
function MoveHere({ player, zone }: { player: string; zone: Face["zone"] }) {
  const id = selected.value;
  const item = tab.value === "card" ? table.value.find((each) => each.id === id) : undefined;
  if (id === null || item === undefined || (item.zone === zone && side(item) === player)) return null;
  return (
    <button
      type="button"
      class="move-here"
      onClick={() => edit(moveCard(doc.value, id, { player, zone }), "did_move")}
    >
      <Icon name="arrow" /> {t("drop_here")}
    </button>
  );
}

// --- classic -----------------------------------------------------------------------------------------

function Board() {
  const rows = Array.from({ length: ROWS }, (_, at) => ROWS - at); // the first player's rows are below
  return (
    <div class="board" role="group" aria-label={t("board")}>
      {rows.map((y) =>
        Array.from({ length: COLUMNS }, (_, at) => at + 1).map((x) => <Cell x={x} y={y} key={`${x},${y}`} />),
      )}
    </div>
  );
}

function Cell({ x, y }: { x: number; y: number }) {
  const cards = table.value.filter((item) => item.zone === "play" && item.card.cell?.join() === `${x},${y}`);
  const [near, far] = Object.keys(doc.value.players) as [string, string];
  const player = y <= ROWS / 2 ? near : far;
  const steps = cellVerdict(x, y);
  return (
    <div
      class={`cell ${y <= ROWS / 2 ? "near" : "far"}${steps ? ` step-${steps.legal ? "yes" : "no"}` : ""}`}
      role="group"
      aria-label={t("cell", { x, y })}
      {...drop({ player, zone: "play", cell: [x, y] })}
    >
      {steps && (
        <button
          type="button"
          class="step"
          onClick={() => consider(steps.action)}
          title={steps.because.map((each) => each.text).join("; ")}
        >
          {t("cell", { x, y })}: {t(steps.legal ? "legal" : "illegal")}
        </button>
      )}
      {cards.map((item) => (
        <CardView item={item} small key={item.id} />
      ))}
      <span class="coordinate" aria-hidden="true">
        {x}·{y}
      </span>
    </div>
  );
}

function cellVerdict(x: number, y: number) {
  if (selected.value === null) return undefined;
  return verdictsOf.value
    .get(selected.value)
    ?.find((verdict) => verdict.action === `move(${selected.value},${x},${y})`);
}

/** Cards in play that stand on no cell. */
function Beside({ player }: { player: string }) {
  const cards = table.value.filter(
    (item) => item.zone === "play" && side(item) === player && item.card.cell === undefined,
  );
  if (cards.length === 0) return null;
  return (
    <div class="row" role="group" aria-label={t("beside_board")}>
      {cards.map((item) => (
        <CardView item={item} key={item.id} />
      ))}
    </div>
  );
}
