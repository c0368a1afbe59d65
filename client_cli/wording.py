"""Every announcement as a sentence, or a few lines, in English: the one way to words."""

from client_cli import announcements as a
from client_cli import answers, phrases, reasons, receipt_words, report_words, sentences, troubles
from client_cli.comparing import PREFIX
from client_cli.language import say
from client_cli.verdict import finding


def words(told: a.Announcement) -> str:
    """What to show a person for an announcement."""
    match told:
        case a.Connected():
            return say("Connected to {server} as {name}.", server=told.server, name=told.name)
        case a.Unencrypted():
            return say(
                "What is said to {server} and back can be read on the way. Only an address with wss:// is encrypted.",
                server=told.server,
            )
        case a.ConnectionLost():
            return say(
                "The connection is lost. Trying to come back for {patience}.", patience=phrases.duration(told.patience)
            )
        case a.ConnectionBack():
            return say("Connected again.")
        case troubles.Unreachable():
            return sentences.unreachable(told)
        case troubles.SentOn():
            return sentences.sent_on(told)
        case troubles.GaveUp():
            return say(
                "No connection to {server} for {patience}: giving up.",
                server=told.server,
                patience=phrases.duration(told.patience),
            )
        case troubles.WrongVersion():
            return say(
                "{server} does not speak this program's version: {why}",
                server=told.server,
                why=reasons.trouble(told.why),
            )
        case troubles.NotAccepted():
            return reasons.not_accepted(told)
        case troubles.NotOffered():
            return reasons.offers().get(told.offer, told.offer)
        case troubles.Replaced():
            return say("Your seat was taken over by another client with your key; this one goes.")
        case troubles.Garbled():
            return say("The server said something that cannot be read: {why}", why=reasons.trouble(told.why))
        case troubles.Refusal():
            return reasons.refusal(told)
        case troubles.StrangeGame():
            return say("Match {code}: {why}", code=told.match, why=reasons.unknown_game(told.game))
        case a.Waiting():
            return sentences.waiting(told)
        case a.Seated():
            return sentences.seated(told)
        case a.Resumed():
            return sentences.resumed(told)
        case a.AskReady():
            if told.waits is None:
                return say("Press Enter when you are ready.")
            return say("Press Enter when you are ready: within {waits}.", waits=phrases.duration(told.waits))
        case a.IsReady():
            return say("You are ready.") if told.you else say("{name} is ready.", name=told.name)
        case a.Countdown():
            return say("Both are ready. The race starts in {starts}.", starts=phrases.duration(told.starts))
        case a.Started():
            left = phrases.duration(told.left)
            if told.you is None:
                return say("The race is on: {left} on the clock.", left=left)
            return say(
                "Go! {left} on the clock. Type t to turn a card, ? for the moves, help for all words.", left=left
            )
        case a.Clock():
            return say("{left} left on the clock.", left=phrases.duration(told.left))
        case a.Away():
            return say("{name} is away, with {left} to come back.", name=told.name, left=phrases.duration(told.left))
        case a.Returned():
            return say("{name} is back.", name=told.name)
        case a.Aborted():
            return say(
                "Match {code} did not take place: {why}.", code=told.match, why=reasons.aborts().get(told.why, told.why)
            )
        case a.Over():
            return sentences.over(told)
        case a.DealDoubted():
            return sentences.deal_doubted(told)
        case a.DealChecked():
            return sentences.deal_checked(told)
        case a.DealUnchecked():
            return say("The deal could not be checked yet. To do it later: tommy verify {code}", code=told.match)
        case a.Proof():
            return say("Proof {proof}: read it out to each other; both have to see the same.", proof=told.proof)
        case a.Afterwards():
            return sentences.afterwards(told)
        case a.WantsRematch():
            if told.you:
                return say("You ask for a rematch.")
            if told.answer:
                return say("{name} asks for a rematch. Type again to play it.", name=told.name)
            return say("{name} asks for a rematch.", name=told.name)
        case a.HasLeft():
            return say("{name} has left.", name=told.name)
        case a.Rematch():
            return say("A rematch: match {code}.", code=told.match)
        case a.Position():
            return sentences.titled(told.name, phrases.position(told.view, told.count))
        case a.Made():
            return phrases.position(told.view, told.count)
        case a.Finished():
            return sentences.finished(told)
        case a.RivalCount():
            return say("{name} has {count} of {total}.", name=told.name, count=told.count, total=told.total)
        case a.Played():
            return sentences.played(told)
        case answers.Listed():
            return sentences.listed(told)
        case answers.NoMatches():
            return say("No match is being raced now.")
        case answers.Choose():
            return say("Which one to watch? Type its number.")
        case answers.LegalMoves():
            return sentences.legal_moves(told)
        case answers.BoardShown():
            return sentences.titled(told.name, phrases.layout(told.view, told.count, told.total))
        case answers.RivalNow():
            return sentences.rival_now(told)
        case answers.TimeNow():
            if told.left is None:
                return say("The clock does not run: {state}.", state=reasons.state(told.state))
            return say("{left} left on the clock.", left=phrases.duration(told.left))
        case answers.Help():
            return phrases.table([(word.form, word.meaning) for word in told.words])
        case answers.Confirm():
            return sentences.confirm(told)
        case answers.NotConfirmed():
            return say("Then not.")
        case answers.Unparsable():
            return say("I do not know the word {word}. Type help for those I know.", word=told.word)
        case answers.Incomplete():
            return say("Where to? {word} 7 goes to column 7, {word}f to a foundation.", word=told.word)
        case answers.Illegal():
            return reasons.illegal(told)
        case answers.Ambiguous():
            return sentences.ambiguous(told)
        case answers.NotNow():
            return sentences.not_now(told)
        case answers.NotTaken():
            return say(
                "{words}: not taken, there is no connection. Type it again when you are connected and see your board.",
                words=told.words,
            )
        case answers.InputEnded():
            if told.stands:
                return say("The input has ended, so you stand.")
            return say("The input has ended before you were ready, so you leave.")
        case answers.SeatKept():
            return say(
                "Your seat in match {code} is kept for {grace}: tommy play takes you back.",
                code=told.match,
                grace=phrases.duration(told.grace),
            )
        case answers.Written():
            return say("Written: {file}. To check it: tommy verify {file}", file=phrases.file(told.file))
        case troubles.FileTrouble():
            return say("{file}: {why}", file=phrases.file(told.file), why=told.why)
        case troubles.SystemTrouble():
            return say("The system says: {why}", why=told.why)
        case troubles.BadKey():
            why = reasons.no_keys().get(told.why, told.why)
            return say("{file}: {why} Remove the file to get a new one.", file=phrases.file(told.file), why=why)
        case troubles.FileThere():
            return say(
                "{file} is there already, and was left as it is. Name another file.", file=phrases.file(told.file)
            )
        case troubles.BadRecord():
            return say("{file}: {why}", file=phrases.file(told.file), why=reasons.bad_record(told.code, told.facts))
        case troubles.BadSettings():
            return say("{file}, line {line}: {why}", file=phrases.file(told.file), line=told.line, why=told.why)
        case answers.RecordChecked():
            return say(
                "Match {code}: {players}, {game}, {created}",
                code=told.match,
                players=phrases.versus(told.names),
                game=phrases.game(told.game),
                created=told.created,
            )
        case answers.Checking():
            return say(
                "{player}'s board is being played again ({number} of {boards}) ...",
                player=told.player,
                number=told.number,
                boards=told.boards,
            )
        case answers.Checked():
            return receipt_words.finding(told) if told.check.startswith(PREFIX) else finding(told)
        case answers.ReceiptChecked() | answers.OtherReceipt() | answers.NoReceipt():
            return receipt_words.about(told)
        case a.ReceiptTrouble() | a.ReceiptLost() | troubles.DamagedReceipt():
            return receipt_words.trouble(told)
        case answers.Verdict():
            return sentences.verdict(told)
        case answers.Text():
            return "\n\n".join((told.title, *told.paragraphs))
        case a.BotFinished():
            return sentences.bot_finished(told)
        case troubles.Bug():
            return say("Something went wrong in tommy itself: {what}. Please report it.", what=told.what)
        case _:
            return report_words.words(told)
