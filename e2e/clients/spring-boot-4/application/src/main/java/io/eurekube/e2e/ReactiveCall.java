package io.eurekube.e2e;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/** Calls other services from a reactive application. */
@RestController
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveCall {
  private final WebClient client;

  ReactiveCall(@LoadBalanced WebClient.Builder builder) {
    this.client = builder.build();
  }

  /** One load-balanced call, which is not repeated: the id of the instance that answered. */
  @GetMapping("/call")
  Mono<ResponseEntity<String>> call(@RequestParam String service) {
    return client
        .get()
        .uri("http://" + service + "/self/id")
        .retrieve()
        .bodyToMono(String.class)
        .map(ResponseEntity::ok)
        .onErrorResume(
            e -> Mono.just(ResponseEntity.status(HttpStatus.BAD_GATEWAY).body(e.toString())));
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  static class Builder {
    /** No default candidate, or the Eureka client would look for its server in itself. */
    @Bean(defaultCandidate = false)
    @LoadBalanced
    WebClient.Builder loadBalancedWebClient() {
      // A call on a kept connection to a provider that ends at that moment was seen to
      // wait for ever: who may be called is the matter here, so each has its own.
      return WebClient.builder()
          .clientConnector(new ReactorClientHttpConnector(HttpClient.newConnection()));
    }
  }
}
