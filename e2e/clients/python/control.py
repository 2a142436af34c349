"""What a case asks the application, and tells it, over HTTP.

Every answer comes from the client's public methods.
"""

import asyncio
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


def serve(client, host, port, instance_id):
    """Answers requests until the process ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.route({
                "/self/id": lambda query: instance_id,
                "/discovered": lambda query: discovered(client),
                "/known": lambda query: known(client, query["app"][0]),
                "/call": lambda query: call(client, query["service"][0]),
            })

        def do_PUT(self):
            self.route({
                "/self/status": lambda query: asyncio.run(client.status_update(query["value"][0])),
            })

        def route(self, routes):
            url = urlsplit(self.path)
            if url.path not in routes:
                self.answer(404, "")
                return
            try:
                self.answer(200, routes[url.path](parse_qs(url.query)))
            except Exception as error:  # its text is the answer
                self.answer(502, f"{type(error).__name__}: {error}")

        def answer(self, status, content):
            body = content if isinstance(content, str) else "" if content is None else json.dumps(content)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args):
            pass  # the log is the client's

    ThreadingHTTPServer((host, port), Handler).serve_forever()


def discovered(client):
    """The URLs that the client would choose from, by service: those of its own zone, else all others."""
    urls = {}
    for application in client.applications.applications:
        candidates = application.up_instances_in_zone(client.zone) or application.up_instances_not_in_zone(client.zone)
        if candidates:
            urls[application.name.lower()] = sorted(f"http://{each.ipAddr}:{each.port.port}" for each in candidates)
    return urls


def known(client, app):
    instances = client.applications.get_application(app).instances
    return sorted(
        ({"id": each.instanceId, "status": each.status, "metadata": each.metadata} for each in instances),
        key=lambda instance: instance["id"],
    )


def call(client, service):
    """One call by the client's own load balancer, which tries the next instance when one fails."""
    return asyncio.run(client.do_service(service, "/self/id", prefer_ip=True))
