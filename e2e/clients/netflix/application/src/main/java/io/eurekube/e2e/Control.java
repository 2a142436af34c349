package io.eurekube.e2e;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.discovery.EurekaClient;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;

/** The requests by which a case asks the application what it knows and tells it what to do. */
final class Control {
  private final ObjectMapper json = new ObjectMapper();
  private final ApplicationInfoManager info;
  private final Discovered discovered;

  Control(ApplicationInfoManager info, EurekaClient client) {
    this.info = info;
    this.discovered = new Discovered(client);
  }

  void listen(InetSocketAddress address) throws IOException {
    var server = HttpServer.create(address, 0);
    server.setExecutor(Executors.newCachedThreadPool());
    handle(server, "/self/id", (parameter, body) -> info.getInfo().getInstanceId());
    handle(server, "/self/metadata", (parameter, body) -> addMetadata(body));
    handle(server, "/self/status", (parameter, body) -> report(parameter));
    handle(server, "/discovered", (parameter, body) -> json.writeValueAsString(discovered.urls()));
    handle(server, "/known", (parameter, body) -> json.writeValueAsString(discovered.known(parameter)));
    handle(server, "/call", (parameter, body) -> discovered.call(parameter));
    server.start();
  }

  /** The client registers again when it next looks for changes. */
  private String addMetadata(byte[] body) throws IOException {
    @SuppressWarnings("unchecked")
    Map<String, String> metadata = json.readValue(body, Map.class);
    info.registerAppMetadata(metadata);
    return "";
  }

  /** The client registers again at once. */
  private String report(String status) {
    info.setInstanceStatus(InstanceStatus.valueOf(status));
    return "";
  }

  /** What answers a path, given the value of the only query parameter and the body. */
  private interface Answer {
    String to(String parameter, byte[] body) throws Exception;
  }

  private static void handle(HttpServer server, String path, Answer answer) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            respond(exchange, answer);
          }
        });
  }

  private static void respond(HttpExchange exchange, Answer answer) throws IOException {
    var query = exchange.getRequestURI().getQuery();
    var parameter = query == null ? "" : query.substring(query.indexOf('=') + 1);
    var body = exchange.getRequestBody().readAllBytes();
    var status = 200;
    String text;
    try {
      text = answer.to(parameter, body);
    } catch (Exception e) {
      status = 502;
      text = e.toString();
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
