"""The `tommy` command: playing, watching and checking races in a terminal, and the house bot.

    main          the command line
    dialing       how a connection is made, and what it was when none is
    connection    one connection to a server, which mends itself
    race          what this client knows of a match: pure, fed with messages
    commitments   what everybody is bound to before the cards are known
    receipt       all that a client was shown of a match; receipts keeps the files
    comparing     a record held against a receipt
    presenter     what changed, as announcements: plain data
    wording       announcements as sentences
    player, spectator, house    who sits behind the connection: a person, an onlooker, a bot
    plain         the line mode: typed lines in, announcements out

Everything a user reads is worded through `language.say`, and translated in `locale`: a new text is found by `make texts`,
which then says which language lacks it. What others wrote is filled into sentences there, and made fit for it (`foreign`).
"""
