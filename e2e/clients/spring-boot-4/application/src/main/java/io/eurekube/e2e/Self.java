package io.eurekube.e2e;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tells and changes what the application says of itself, as its own code may do at any time. */
@RestController
class Self {
  private final ApplicationInfoManager info;

  Self(ApplicationInfoManager info) {
    this.info = info;
  }

  @GetMapping("/self/id")
  String id() {
    return info.getInfo().getInstanceId();
  }

  /** Adds metadata. The client registers again when it next looks for changes. */
  @PutMapping("/self/metadata")
  void metadata(@RequestBody Map<String, String> metadata) {
    info.registerAppMetadata(metadata);
  }

  /** Reports a status. The client registers again at once. */
  @PutMapping("/self/status")
  void status(@RequestParam InstanceStatus value) {
    info.setInstanceStatus(value);
  }
}
