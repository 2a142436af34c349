"""A service as teams write them in Python: py-eureka-client registers it and discovers others.

control.py lets a case look inside.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys

from py_eureka_client import logger
from py_eureka_client.eureka_client import EurekaClient

import control


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name")
    parser.add_argument("--address", help="HOST:PORT, where the service is reached")
    parser.add_argument("--service-url", help="separated by commas")
    parser.add_argument("--renewal-interval-seconds", type=int)
    parser.add_argument("--lease-duration-seconds", type=int)
    # The client reads the registry after each heartbeat and has no interval of its own for that.
    parser.add_argument("--fetch-interval-seconds", type=int)
    parser.add_argument("--no-register", action="store_true")
    return parser.parse_args()


def log_like_cases_read():
    """Has the client log with the level first; an exception takes lines of its own."""
    logging.addLevelName(logging.WARNING, "WARN")
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(levelname)s %(asctime)s %(name)s: %(message)s"))
    logger.set_handler(handler)
    logger.set_level("DEBUG")


async def stop(client):
    await client.stop()
    # Its heartbeats run on, and the next one would register the service again.
    os._exit(0)


def main():
    args = parse_args()
    log_like_cases_read()
    host, port = args.address.split(":")
    client = EurekaClient(
        eureka_server=args.service_url,
        should_register=not args.no_register,
        app_name=args.name,
        instance_id=f"{host}:{args.name}:{port}",
        instance_host=host,
        instance_ip=host,
        instance_port=int(port),
        instance_secure_port=443,
        renewal_interval_in_secs=args.renewal_interval_seconds,
        duration_in_secs=args.lease_duration_seconds,
        metadata={"team": "checkout"},
    )
    signal.signal(signal.SIGTERM, lambda *_: asyncio.run(stop(client)))
    asyncio.run(client.start())
    control.serve(client, host, int(port), f"{host}:{args.name}:{port}")


if __name__ == "__main__":
    main()
