"""The full screen: one face of a guest, beside the plain line mode.

What is seen is drawn on a `Canvas` by functions that know nothing of a terminal; `app` alone hands it to Textual.
"""
