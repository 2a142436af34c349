package io.eurekube.e2e;

import com.netflix.discovery.DiscoveryClient;
import java.io.IOException;

/** The client brings its transport. */
public final class Main {
  public static void main(String[] args) throws IOException {
    Application.run(args[0], DiscoveryClient::new);
  }

  private Main() {}
}
