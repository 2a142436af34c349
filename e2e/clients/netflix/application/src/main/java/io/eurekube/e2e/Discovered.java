package io.eurekube.e2e;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the client's copy of the registry holds, and calls that go by it. */
final class Discovered {
  private final EurekaClient client;
  private final HttpClient http = HttpClient.newHttpClient();

  Discovered(EurekaClient client) {
    this.client = client;
  }

  /** The URLs of the instances that are UP, by service. */
  Map<String, List<String>> urls() {
    var urls = new TreeMap<String, List<String>>();
    for (var application : client.getApplications().getRegisteredApplications()) {
      var up = application.getInstances().stream().map(Discovered::url).sorted().toList();
      if (!up.isEmpty()) {
        urls.put(application.getName().toLowerCase(Locale.ROOT), up);
      }
    }
    return urls;
  }

  /** The instances of an application in any status, by id. */
  List<Map<String, Object>> known(String app) {
    var application = client.getApplication(app);
    if (application == null) {
      return List.of();
    }
    return application.getInstancesAsIsFromEureka().stream()
        .sorted(Comparator.comparing(InstanceInfo::getInstanceId))
        .map(Discovered::shown)
        .toList();
  }

  /** Maps, since the oldest client comes with a Jackson that knows no records. */
  private static Map<String, Object> shown(InstanceInfo instance) {
    return Map.of(
        "id", instance.getInstanceId(),
        "status", instance.getStatus().name(),
        "metadata", instance.getMetadata());
  }

  /** Calls the instance that the client chooses: those of a service take turns. */
  String call(String service) throws IOException, InterruptedException {
    var url = url(client.getNextServerFromEureka(service, false)) + "/self/id";
    var response = http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException("GET " + url + " = " + response.statusCode());
    }
    return response.body();
  }

  private static String url(InstanceInfo instance) {
    return "http://" + instance.getIPAddr() + ":" + instance.getPort();
  }
}
