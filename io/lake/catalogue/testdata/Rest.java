import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Iceberg's own REST catalogue on loopback, which keeps its tables in a file of SQLite: Rest PORT FILE WAREHOUSE. */
public class Rest {
  public static void main(String[] args) throws Exception {
    var catalogue = CatalogUtil.buildIcebergCatalog("rest", Map.of(
        "catalog-impl", "org.apache.iceberg.jdbc.JdbcCatalog", "uri", "jdbc:sqlite:" + args[1],
        "warehouse", args[2], "jdbc.schema-version", "V1"), new Configuration());
    var context = new ServletContextHandler(ServletContextHandler.NO_SESSIONS);
    context.addServlet(new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalogue))), "/*");
    var server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])));
    server.setHandler(context);
    server.start();
    System.out.println("ready");
    server.join();
  }
}
