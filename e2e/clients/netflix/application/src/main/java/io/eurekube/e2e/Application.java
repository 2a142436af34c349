package io.eurekube.e2e;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo.InstanceStatus;
import com.netflix.appinfo.MyDataCenterInstanceConfig;
import com.netflix.appinfo.providers.EurekaConfigBasedInstanceInfoProvider;
import com.netflix.discovery.DefaultEurekaClientConfig;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.EurekaClientConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * A service on Netflix's client alone. The client reads what it needs from eureka-client.properties
 * and from system properties, which win.
 */
final class Application {
  interface Connector {
    EurekaClient connect(ApplicationInfoManager info, EurekaClientConfig config);
  }

  /** Starts the service, which listens on an IP address and registers with it. */
  static void run(String address, Connector connector) throws IOException {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install(); // for Jersey 3
    var self = new SelfConfig(address);
    var info =
        new ApplicationInfoManager(self, new EurekaConfigBasedInstanceInfoProvider(self).get());
    var client = connector.connect(info, new DefaultEurekaClientConfig());
    new Control(info, client).listen(new InetSocketAddress(address, self.getNonSecurePort()));
    Runtime.getRuntime().addShutdownHook(new Thread(client::shutdown));
    info.setInstanceStatus(InstanceStatus.UP);
  }

  /** The client would otherwise take host name and address from the machine's first interface. */
  private static final class SelfConfig extends MyDataCenterInstanceConfig {
    private final String address;

    SelfConfig(String address) {
      this.address = address;
    }

    @Override
    public String getHostName(boolean refresh) {
      return address;
    }

    @Override
    public String getIpAddress() {
      return address;
    }
  }

  private Application() {}
}
