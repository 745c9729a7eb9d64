import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.tika.detect.Detector;
import org.apache.tika.metadata.HttpHeaders;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MimeTypes;

/**
 * Prints what the detector of tika-core says of documents: by bytes, with the name, and with name and declared type,
 * parted by tabs; then the CPU microseconds a document of the three, warm. Arguments are a list (name, tab, declared
 * type or nothing, of each line) and the folder of the documents.
 */
class Types {
    static final int PASSES = 10;

    record Document(String name, String declared, byte[] body) {}

    public static void main(String[] args) throws Exception {
        Detector detector = MimeTypes.getDefaultMimeTypes();
        List<Document> documents = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] fields = line.split("\t", -1);
            documents.add(new Document(fields[0], fields[1], Files.readAllBytes(Path.of(args[1], fields[0]))));
        }
        for (Document d : documents) {
            System.out.println(type(detector, d, 0) + "\t" + type(detector, d, 1) + "\t" + type(detector, d, 2));
        }
        for (int hints = 0; hints < 3; hints++) {
            System.out.print((hints > 0 ? "\t" : "") + microseconds(detector, documents, hints));
        }
        System.out.println();
    }

    static double microseconds(Detector detector, List<Document> documents, int hints) throws Exception {
        double micros = 0;
        for (int run = 0; run < 2; run++) { // the first warms up
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int pass = 0; pass < PASSES; pass++) {
                for (Document d : documents) {
                    type(detector, d, hints);
                }
            }
            long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            micros = (after - before) / 1e3 / PASSES / documents.size();
        }
        return micros;
    }

    static String type(Detector detector, Document d, int hints) throws Exception {
        Metadata metadata = new Metadata();
        if (hints > 0) {
            metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, d.name());
        }
        if (hints > 1 && !d.declared().isEmpty()) {
            metadata.set(HttpHeaders.CONTENT_TYPE, d.declared());
        }
        return detector.detect(new ByteArrayInputStream(d.body()), metadata).toString();
    }
}
