package io.eurekube.e2e;

import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Calls other services with what came before RestClient. */
@RestController
class RestTemplateCall {
  private final RestTemplate template;

  RestTemplateCall(RestTemplate template) {
    this.template = template;
  }

  /** One load-balanced call, which is not repeated: the id of the instance that answered. */
  @GetMapping("/call")
  ResponseEntity<String> call(@RequestParam String service) {
    try {
      return ResponseEntity.ok(
          template.getForObject("http://" + service + "/self/id", String.class));
    } catch (RuntimeException e) {
      return ResponseEntity.status(HttpStatus.BAD_GATEWAY).body(e.toString());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Template {
    @Bean
    @LoadBalanced
    RestTemplate loadBalancedRestTemplate() {
      return new RestTemplate();
    }
  }
}
