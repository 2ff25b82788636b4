"""The judge as a server: the public Python API over HTTP, and the page that stands on it.

`questions` answers one question and knows nothing of HTTP; it runs in the processes of `pool`.
`library` holds what never changes: the cards, the vocabulary, the rulebook. `app` puts both behind
the addresses of docs/http.md. Needs the extra `pyengine[web]`.
"""
