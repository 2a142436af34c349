package io.eurekube.e2e;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tells what the client's copy of the registry holds. */
@RestController
class Known {
  private final EurekaClient client;

  Known(EurekaClient client) {
    this.client = client;
  }

  record Instance(String id, String status, Map<String, String> metadata) {
    static Instance of(InstanceInfo info) {
      return new Instance(info.getInstanceId(), info.getStatus().name(), info.getMetadata());
    }
  }

  /** All instances of an application, by id, whatever their status. */
  @GetMapping("/known")
  List<Instance> known(@RequestParam String app) {
    var application = client.getApplication(app);
    if (application == null) {
      return List.of();
    }
    return application.getInstancesAsIsFromEureka().stream()
        .map(Instance::of)
        .sorted(Comparator.comparing(Instance::id))
        .toList();
  }
}
