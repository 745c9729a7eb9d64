// A node of OpenSearch by itself: java OpenSearchNode.java HOME PORT. The jars have no start of their own that works
// without a distribution around them. It prints "started" when it is.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public class OpenSearchNode extends Node {
  OpenSearchNode(Settings settings, Path config) {
    super(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node"),
        List.of(Netty4Plugin.class, CommonAnalysisPlugin.class), false);
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath();
    Path config = Files.createDirectories(home.resolve("config"));
    Settings settings = Settings.builder()
        .put("path.home", home.toString())
        .put("cluster.name", "gleaner-test")
        .put("node.name", "node")
        .put("network.host", "127.0.0.1")
        .put("http.port", args[1])
        .put("transport.port", "0")
        .put("discovery.type", "single-node")
        .put("http.type", "netty4")
        .put("transport.type", "netty4")
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    new OpenSearchNode(settings, config).start();
    System.out.println("started");
    Thread.currentThread().join(); // until it is killed
  }
}
