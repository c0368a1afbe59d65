"""The games themselves: cards, deals, boards, results and records.

Nothing in here reads a clock, draws a random number or does any input or output: times, secrets and cards
come in as arguments, so that a replay on any machine, in any year, decides exactly the same.
"""
