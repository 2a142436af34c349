package io.eurekube.e2e;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tells what a caller inside the application would be given to call. */
@RestController
class Discovered {
  private final DiscoveryClient client;

  Discovered(DiscoveryClient client) {
    this.client = client;
  }

  /** The URLs of the instances that are UP, by service. */
  @GetMapping("/discovered")
  Map<String, List<String>> discovered() {
    var urls = new TreeMap<String, List<String>>();
    for (var service : client.getServices()) {
      urls.put(
          service,
          client.getInstances(service).stream().map(i -> i.getUri().toString()).sorted().toList());
    }
    return urls;
  }
}
