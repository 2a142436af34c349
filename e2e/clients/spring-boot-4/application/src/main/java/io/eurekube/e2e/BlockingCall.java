package io.eurekube.e2e;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/**
 * Calls other services from an application on servlets, unless it is one whose Eureka client is to
 * use RestTemplate, which calls with that too.
 */
@RestController
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnProperty(name = "eureka.client.restclient.enabled", matchIfMissing = true)
class BlockingCall {
  private final RestClient client;

  BlockingCall(@LoadBalanced RestClient.Builder builder) {
    this.client = builder.build();
  }

  /** One load-balanced call, which is not repeated: the id of the instance that answered. */
  @GetMapping("/call")
  ResponseEntity<String> call(@RequestParam String service) {
    try {
      return ResponseEntity.ok(
          client.get().uri("http://" + service + "/self/id").retrieve().body(String.class));
    } catch (RuntimeException e) {
      return ResponseEntity.status(HttpStatus.BAD_GATEWAY).body(e.toString());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  static class Builder {
    /** No default candidate, or the Eureka client would look for its server in itself. */
    @Bean(defaultCandidate = false)
    @LoadBalanced
    RestClient.Builder loadBalancedRestClient() {
      return RestClient.builder();
    }
  }
}
