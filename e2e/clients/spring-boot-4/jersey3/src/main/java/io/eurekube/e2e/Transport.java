package io.eurekube.e2e;

import com.netflix.discovery.AbstractDiscoveryClientOptionalArgs;
import com.netflix.discovery.Jersey3DiscoveryClientOptionalArgs;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import com.netflix.discovery.shared.transport.jersey3.Jersey3TransportClientFactories;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Once Jersey is there, Spring switches its own transports off and provides none in their place. */
@Configuration(proxyBeanMethods = false)
class Transport {
  @Bean
  TransportClientFactories<?> transportClientFactories() {
    return Jersey3TransportClientFactories.getInstance();
  }

  @Bean
  AbstractDiscoveryClientOptionalArgs<?> discoveryClientOptionalArgs() {
    return new Jersey3DiscoveryClientOptionalArgs();
  }
}
