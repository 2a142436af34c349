package io.eurekube.e2e;

import com.netflix.discovery.DiscoveryClient;
import com.netflix.discovery.Jersey3DiscoveryClientOptionalArgs;
import com.netflix.discovery.shared.transport.jersey3.Jersey3TransportClientFactories;
import java.io.IOException;

/** The client is told which transport to use. */
public final class Main {
  public static void main(String[] args) throws IOException {
    Application.run(
        args[0],
        (info, config) ->
            new DiscoveryClient(
                info,
                config,
                Jersey3TransportClientFactories.getInstance(),
                new Jersey3DiscoveryClientOptionalArgs()));
  }

  private Main() {}
}
