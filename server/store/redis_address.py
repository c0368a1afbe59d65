"""Where a Redis is: what may stand in `--store`, and the client that goes there.

    redis://[USER:PASSWORD@]HOST[:PORT][/DB]                          one Redis
    redis+sentinel://[USER:PASSWORD@]HOST[:PORT],HOST.../NAME[/DB]    the master that these Sentinels call NAME
    redis+cluster://[USER:PASSWORD@]HOST[:PORT],HOST...               the Redis Cluster that has these nodes
    unix://[USER:PASSWORD@]/PATH                                      one Redis on this machine

`rediss` in place of `redis` is the same over TLS; it trusts the system's authorities, and SSL_CERT_FILE's. User and
password are for the Redis servers; Sentinels are asked without.
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from redis.asyncio import (
    BlockingConnectionPool,
    Connection,
    Redis,
    RedisCluster,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

REDIS_PORT = 6379
SENTINEL_PORT = 26379
CONNECT_TIMEOUT = 2.0
ANSWER_TIMEOUT = 5.0

_HOST = re.compile(r"(?:\[(?P<ipv6>[0-9a-fA-F:.%]+)\]|(?P<name>[^][:/?#]+))(?::(?P<port>[0-9]{1,5}))?")

Client = Redis | RedisCluster


@dataclass(frozen=True)
class RedisAddress:
    """An address, read."""

    kind: str
    """redis, sentinel, cluster or unix."""
    tls: bool
    hosts: tuple[tuple[str, int], ...]
    user: str | None
    password: str | None
    name: str
    """Of the master, or the path of the socket."""
    db: int

    @classmethod
    def read(cls, address: str) -> "RedisAddress":
        """Read an address. Raises `ValueError`, with nothing of the password in it."""
        try:
            parts = urlsplit(address)
        except ValueError:  # whose text has all of it
            raise ValueError("the address cannot be read") from None
        scheme, _, kind = parts.scheme.partition("+")
        login, _, hosts = parts.netloc.rpartition("@")
        user, _, password = login.partition(":")
        steps = [step for step in parts.path.split("/") if step]
        name = ""
        if parts.scheme == "unix":
            kind, name, steps = "unix", parts.path, []
        elif scheme not in {"redis", "rediss"} or kind not in {"", "sentinel", "cluster"}:
            raise ValueError(
                "a Redis address starts with redis://, redis+sentinel:// or redis+cluster:// (or rediss...)"
            )
        elif kind == "sentinel":
            if not steps:
                raise ValueError("the name of the master is missing: redis+sentinel://HOST:PORT,HOST:PORT/NAME")
            name = steps.pop(0)
        if parts.query or parts.fragment or len(steps) > (kind != "cluster") or not all(map(str.isdecimal, steps)):
            raise ValueError("all that may follow the hosts is the number of a database, and in a cluster nothing")
        port = SENTINEL_PORT if kind == "sentinel" else REDIS_PORT
        read = () if kind == "unix" else tuple(_host(host, port) for host in hosts.split(","))
        if kind == "" and len(read) > 1:
            raise ValueError("several hosts are for redis+sentinel:// or redis+cluster://")
        return cls(
            kind=kind or "redis",
            tls=scheme == "rediss",
            hosts=read,
            user=unquote(user) or None,
            password=unquote(password) or None,
            name=name,
            db=int(steps[0]) if steps else 0,
        )

    def __str__(self) -> str:
        """The address without the password."""
        user = f"{self.user}@" if self.user else ""
        if self.kind == "unix":
            return f"unix://{user}{self.name}"
        scheme = ("rediss" if self.tls else "redis") + ("" if self.kind == "redis" else f"+{self.kind}")
        hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.hosts)
        return f"{scheme}://{user}{hosts}{self.name and f'/{self.name}'}{f'/{self.db}' if self.db else ''}"

    def client(self) -> Client:
        """A client that asks once: who retries blindly does not know what has been written."""
        options: dict[str, Any] = {
            "socket_connect_timeout": CONNECT_TIMEOUT,
            "socket_timeout": ANSWER_TIMEOUT,
            "retry": Retry(NoBackoff(), 0),
        }
        session: dict[str, Any] = {
            "username": self.user,
            "password": self.password,
            "client_name": "tommy-server",
            "driver_info": None,
            "protocol": 2,
            "decode_responses": True,
        }
        if self.kind == "cluster":
            nodes = [ClusterNode(host, port) for host, port in self.hosts]
            return RedisCluster(startup_nodes=nodes, ssl=self.tls, **options, **session)
        session["db"] = self.db
        if self.kind == "sentinel":
            asked = {**options, "ssl": self.tls, "protocol": 2}
            sentinel: Any = Sentinel  # redis-py does not say what it takes
            client: Client = sentinel(self.hosts, sentinel_kwargs=asked, ssl=self.tls, **options, **session).master_for(
                self.name
            )
            return client
        pool = BlockingConnectionPool(
            max_connections=8,
            timeout=ANSWER_TIMEOUT,
            connection_class=self._connection_class(),
            **({"path": self.name} if self.kind == "unix" else dict(zip(("host", "port"), self.hosts[0], strict=True))),
            **options,
            **session,
        )
        return Redis.from_pool(pool)

    def _connection_class(self) -> type[Connection | UnixDomainSocketConnection]:
        if self.kind == "unix":
            return UnixDomainSocketConnection
        return SSLConnection if self.tls else Connection


def _host(text: str, default_port: int) -> tuple[str, int]:
    found = _HOST.fullmatch(text)
    if found is None:
        raise ValueError("a host of a Redis address is HOST or HOST:PORT (in a password, write / as %2F)")
    return found["name"] or found["ipv6"], int(found["port"] or default_port)
